public import MediaFacts

/// In tests a codec may be written by its name.
extension Codec: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  public init(stringLiteral name: String) { self.init(name) }
}
