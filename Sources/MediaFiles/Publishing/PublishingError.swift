/// Why a file could not appear under its name.
public struct PublishingError: Error, Sendable, Hashable {
  /// Why there is no file of that name; the command line has an exit status for each.
  public enum Code: String, Sendable, Hashable {
    /// There is a file of that name, and replacing it was not asked for.
    case outputExists
    /// The output is the input, perhaps under another name.
    case sameFile
    /// The name is a directory, pipe or device, or its folder is missing.
    case cannotCreate
    /// The system does not allow writing there.
    case permissionDenied
    /// The disk is full, a quota is used up, or the device failed.
    case writeFailed
  }

  /// What kind of error it is, for programs that act on it.
  public var code: Code
  /// One sentence without the file's name.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?

  package init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}
