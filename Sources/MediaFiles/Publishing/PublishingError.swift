/// Why a file could not be published under its name.
public struct PublishingError: Error, Sendable, Hashable {
  /// `outputExists`, `sameFile`, `cannotCreate`, `permissionDenied`, `writeFailed`, or
  /// `outOfMemory` where the system lacks resources.
  public typealias Code = MediaErrorCode

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
