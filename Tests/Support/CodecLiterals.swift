public import MediaFacts

/// In tests a codec may be written by its name.
extension Codec: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// The codec of this name.
  public init(stringLiteral name: String) { self.init(name) }
}
