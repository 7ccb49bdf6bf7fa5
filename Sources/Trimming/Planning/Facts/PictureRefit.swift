/// Why all pictures of a source are re-encoded, or made, where it is joined with others.
public struct PictureRefit: Sendable, Hashable {
  /// The kinds of reasons.
  public enum Kind: Sendable, Hashable {
    /// They are of another format than the leading source's.
    case otherFormat
    /// The source has none.
    case noPictures
    /// The output cannot hold the codec of the source that leads.
    case codecNotHeld
  }

  /// What pictures lose that become those of another format.
  public enum Loss: Sendable, Hashable {
    /// Their alpha channel.
    case alpha
    /// Which field is first.
    case fieldOrder
    /// The mastering display, light levels or dynamic metadata.
    case hdrMetadata
  }

  /// The kind of reason.
  public var kind: Kind
  /// How they differ, as part of a sentence that begins with "its".
  public var text: String

  /// Creates a reason; the text names what the source has, and what the leading one has.
  public init(_ kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }
}
