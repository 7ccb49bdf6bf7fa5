/// Why a file could not appear under its name.
public struct PublishingError: Error, Sendable, Hashable {
  public enum Code: String, Sendable, Hashable {
    /// There is a file of that name, and replacing it was not asked for.
    case outputExists
    /// The output is the input, perhaps under another name.
    case sameFile
    /// The name is a directory, pipe or device, or its folder is missing.
    case cannotCreate
    case permissionDenied
    /// The disk is full, a quota is used up, or the device failed.
    case writeFailed
  }

  public var code: Code
  /// One sentence without the file's name.
  public var message: String
  public var hint: String?

  package init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}
