/// Ascending packet indices as stored in a plan's JSON: where each run begins and ends.
///
/// A plan that encodes two hours stores two numbers instead of 172,800.
struct PlaceRuns: Codable {
  var places: [Int]

  /// More than any track holds: a plan comes from a file, and may contain any number.
  private static let limit = 1 << 26

  init(_ places: [Int]) { self.places = places }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    var index = places.startIndex
    while index < places.endIndex {
      var end = index + 1
      while end < places.endIndex, places[end] == places[end - 1] + 1 { end += 1 }
      try container.encode(places[index])
      try container.encode(places[end - 1] + 1)
      index = end
    }
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    places = []
    while !container.isAtEnd {
      let start = try container.decode(Int.self)
      let end = try container.decode(Int.self)
      guard start >= 0, start < end, places.last.map({ $0 < start }) ?? true,
        end - start <= Self.limit - places.count
      else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "runs of packet indexes must ascend and not overlap")
      }
      places.append(contentsOf: start..<end)
    }
  }
}
