public import ExactTime

/// A part of a file that the export keeps.
public struct TrimmingPart: Hashable, Sendable, Identifiable {
  /// Stays the same whatever happens to the part; counts up from 1.
  public let id: Int
  /// What the part shows, on its file's own timeline.
  public var range: MediaTimeRange
  /// What the user calls it; empty for a part without a name.
  public var name: String
  /// The index of its file among ``TrimmingSession/sources``; 0 for the one that the screen was opened with.
  public let source: Int

  /// Creates a part; the caller must ensure that the identifier is unique.
  public init(id: Int, range: MediaTimeRange, name: String = "", source: Int = 0) {
    self.id = id
    self.range = range
    self.name = name
    self.source = source
  }

  /// A piece of the part.
  func piece(_ range: MediaTimeRange, id: Int) -> TrimmingPart {
    TrimmingPart(id: id, range: range, name: name, source: source)
  }
}

extension TrimmingPart: Codable {
  private enum CodingKeys: String, CodingKey { case id, range, name, source }

  /// Reads a part; without `source` it is of the first file.
  ///
  /// - Throws: `DecodingError` for a missing member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(Int.self, forKey: .id),
      range: try container.decode(MediaTimeRange.self, forKey: .range),
      name: try container.decode(String.self, forKey: .name),
      source: try container.decodeIfPresent(Int.self, forKey: .source) ?? 0)
  }

  /// Writes the members; `source` only for another file than the first.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(range, forKey: .range)
    try container.encode(name, forKey: .name)
    if source != 0 { try container.encode(source, forKey: .source) }
  }
}

/// The parts that an export keeps, in export order, which may differ from their order in the video.
///
/// There is always at least one part; handles move the selected one. Parts may overlap.
public struct PartList: Hashable, Sendable, Codable {
  /// All parts in export order; never empty.
  public internal(set) var parts: [TrimmingPart]
  /// The index of the selected part in ``parts``.
  public internal(set) var selectedIndex: Int
  /// Whether several parts are joined into one file; otherwise each becomes a separate file.
  public internal(set) var joins: Bool
  /// Places to find again, in the order of their files and positions; they are undone with the parts.
  public internal(set) var markers: [TrimmingMarker] = []

  /// The maximum number of parts in a list.
  public static let capacity = 999
  /// The maximum number of markers in a list.
  public static let markerCapacity = 999

  init(_ range: MediaTimeRange) {
    parts = [TrimmingPart(id: 1, range: range)]
    selectedIndex = 0
    joins = false
  }

  /// Creates a list that comes from elsewhere; `nil` if it has no part, none is selected, or two parts or
  /// two markers have the same identifier.
  package init?(
    _ parts: [TrimmingPart], selectedIndex: Int = 0, joins: Bool, markers: [TrimmingMarker] = []
  ) {
    guard parts.indices.contains(selectedIndex), Set(parts.map(\.id)).count == parts.count,
      Set(markers.map(\.id)).count == markers.count
    else { return nil }
    self.parts = parts
    self.selectedIndex = selectedIndex
    self.joins = joins
    self.markers = markers
  }

  /// Decodes a list from its members.
  ///
  /// - Throws: `DecodingError` when the selected part is not in the list.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    parts = try container.decode([TrimmingPart].self, forKey: .parts)
    selectedIndex = try container.decode(Int.self, forKey: .selectedIndex)
    joins = try container.decode(Bool.self, forKey: .joins)
    markers = try container.decodeIfPresent([TrimmingMarker].self, forKey: .markers) ?? []
    guard parts.indices.contains(selectedIndex) else {
      throw DecodingError.dataCorruptedError(
        forKey: .selectedIndex, in: container, debugDescription: "no part is selected")
    }
  }

  /// Writes the members; `markers` only if there are any.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(parts, forKey: .parts)
    try container.encode(selectedIndex, forKey: .selectedIndex)
    try container.encode(joins, forKey: .joins)
    if !markers.isEmpty { try container.encode(markers, forKey: .markers) }
  }

  private enum CodingKeys: String, CodingKey {
    case parts
    case selectedIndex = "selected_index"
    case joins, markers
  }

  /// The part that is played and that the handles move.
  public var selected: TrimmingPart { parts[selectedIndex] }
  /// Whether a part is of another file than the first.
  public var isOfSeveralSources: Bool { parts.contains { $0.source != 0 } }
  /// True for two parts or more.
  public var isSeveral: Bool { parts.count > 1 }
  /// The index of a part in ``parts``, from 0; `nil` when no part has that identifier.
  public func index(ofID id: Int) -> Int? { parts.firstIndex { $0.id == id } }

  /// The total length of all parts; `nil` when it needs more than 64 bits.
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

  /// Joined parts are judged by their total length, separate files one by one: the first invalid
  /// one decides.
  func verdict(_ limit: LengthLimit) -> LengthVerdict {
    if joins, isSeveral { return totalLength.map(limit.verdict(on:)) ?? .tooLong(by: nil) }
    for part in parts {
      guard let length = try? part.range.checkedLength() else { return .tooLong(by: nil) }
      let verdict = limit.verdict(on: length)
      if verdict != .valid { return verdict }
    }
    return .valid
  }

  /// An identifier not used by any part of the list.
  package var nextID: Int {
    let (next, isTooLarge) = (parts.map(\.id).max() ?? 0).addingReportingOverflow(1)
    return isTooLarge ? .max : next
  }

  /// An identifier not used by any marker of the list.
  package var nextMarkerID: Int {
    let (next, isTooLarge) = (markers.map(\.id).max() ?? 0).addingReportingOverflow(1)
    return isTooLarge ? .max : next
  }

  /// The parts clamped to their files; `nil` when no part is left.
  ///
  /// A part or marker entirely outside its file, or of a file that is not known, is removed.
  func clamped(into sources: [TrimmingSource]) -> PartList? {
    func bounds(_ source: Int) -> MediaTimeRange? {
      sources.indices.contains(source) ? sources[source].bounds : nil
    }
    var list = self
    list.parts = parts.compactMap { part in
      bounds(part.source).flatMap { TrimmingSession.clamped(part.range, into: $0) }.map {
        part.piece($0, id: part.id)
      }
    }
    guard !list.parts.isEmpty else { return nil }
    list.markers = markers.filter { marker in
      bounds(marker.source).map { $0.start <= marker.position && marker.position <= $0.end }
        ?? false
    }.sorted { ($0.source, $0.position) < ($1.source, $1.position) }
    list.selectedIndex = list.index(ofID: selected.id) ?? min(selectedIndex, list.parts.count - 1)
    return list
  }
}
