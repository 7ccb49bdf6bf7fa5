/// Why all pictures of a source are re-encoded, or made, where it is joined with others.
public struct PictureRefit: Sendable, Hashable {
  /// The kind of reason.
  public var reason: VideoCut.Reason
  /// How they differ, as part of a sentence that begins with "its".
  public var text: String

  /// Creates a reason; the text names what the source has, and what the leading one has.
  public init(reason: VideoCut.Reason, text: String) {
    self.reason = reason
    self.text = text
  }
}
