public import ExactTime

/// A part of the video that the export keeps.
public struct TrimmingPart: Hashable, Sendable, Identifiable, Codable {
  /// Stays the same whatever happens to the part; counts up from 1.
  public let id: Int
  /// What the part shows, on the video's own timeline.
  public var range: MediaTimeRange
  /// What the user calls it; empty for a part without a name.
  public var name: String

  /// Creates a part; who makes the identifier sees to it that it is the only one.
  public init(id: Int, range: MediaTimeRange, name: String = "") {
    self.id = id
    self.range = range
    self.name = name
  }
}

/// The parts that an export keeps, in the order of the export, which need not be that of the video.
///
/// There is always at least one; handles move the selected one. Parts may overlap.
public struct PartList: Hashable, Sendable, Codable {
  /// All parts in the order of the export; never empty.
  public internal(set) var parts: [TrimmingPart]
  /// The place of the selected part among ``parts``.
  public internal(set) var selectedIndex: Int
  /// Several parts become one file; otherwise each becomes a file of its own.
  public internal(set) var joins: Bool

  /// The most parts that a list takes.
  public static let capacity = 999

  init(_ range: MediaTimeRange) {
    parts = [TrimmingPart(id: 1, range: range)]
    selectedIndex = 0
    joins = false
  }

  /// Reads a list as its members name it.
  ///
  /// - Throws: `DecodingError` where the selected part is not in the list.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    parts = try container.decode([TrimmingPart].self, forKey: .parts)
    selectedIndex = try container.decode(Int.self, forKey: .selectedIndex)
    joins = try container.decode(Bool.self, forKey: .joins)
    guard parts.indices.contains(selectedIndex) else {
      throw DecodingError.dataCorruptedError(
        forKey: .selectedIndex, in: container, debugDescription: "no part is selected")
    }
  }

  private enum CodingKeys: String, CodingKey {
    case parts
    case selectedIndex = "selected_index"
    case joins
  }

  /// The part that plays and that handles move.
  public var selected: TrimmingPart { parts[selectedIndex] }
  /// True for two parts or more.
  public var isSeveral: Bool { parts.count > 1 }
  /// The place of a part among ``parts``, from 0; `nil` where there is none of that identifier.
  public func index(ofID id: Int) -> Int? { parts.firstIndex { $0.id == id } }

  /// The length of all parts together; `nil` where it needs more than 64 bits.
  public var totalLength: MediaDuration? {
    var total = MediaDuration.zero
    for part in parts {
      guard let length = try? part.range.checkedLength(), let sum = try? total.adding(length) else {
        return nil
      }
      total = sum
    }
    return total
  }

  /// Joined parts are judged by their sum, separate files each: the first that is not valid
  /// decides.
  func verdict(_ limit: LengthLimit) -> LengthVerdict {
    if joins, isSeveral { return totalLength.map(limit.verdict(on:)) ?? .tooLong(by: nil) }
    for part in parts {
      guard let length = try? part.range.checkedLength() else { return .tooLong(by: nil) }
      let verdict = limit.verdict(on: length)
      if verdict != .valid { return verdict }
    }
    return .valid
  }

  /// An identifier that no part of the list has.
  var nextID: Int { (parts.map(\.id).max() ?? 0) + 1 }

  /// Within the video; `nil` when no part is left.
  ///
  /// A part that has nothing of it is gone.
  func clamped(into bounds: MediaTimeRange) -> PartList? {
    var list = self
    list.parts = parts.compactMap { part in
      TrimmingSession.clamped(part.range, into: bounds).map {
        TrimmingPart(id: part.id, range: $0, name: part.name)
      }
    }
    guard !list.parts.isEmpty else { return nil }
    list.selectedIndex = list.index(ofID: selected.id) ?? min(selectedIndex, list.parts.count - 1)
    return list
  }
}
