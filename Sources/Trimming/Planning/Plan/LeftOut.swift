/// A box, element or chunk of the source, or a part of one, that is not in the output.
public struct LeftOut: Sendable, Hashable, Codable {
  /// Its name in the container: a box or chunk type, or an element's name.
  public var type: String
  /// Where it is in the source: the enclosing box, `file`, or a track.
  public var place: String
  /// Its size in bytes; `nil` for a part of a box.
  public var byteCount: Int64?
  /// How many there are of this type in this place.
  public var count: Int
  /// Why, in a few words.
  public var reason: String

  /// Creates an entry; the reason is part of a sentence, without a full stop.
  public init(
    type: String, place: String, byteCount: Int64? = nil, count: Int = 1, reason: String
  ) {
    self.type = type
    self.place = place
    self.byteCount = byteCount
    self.count = count
    self.reason = reason
  }
}
