package import EditLists
package import ExactTime
package import Trimming

/// The work on a file: what a screen needs to go on with it.
///
/// It is kept while it is unfinished, and saved as a file of its own on request. As JSON it has a `version`; times
/// are exact fractions of seconds as text.
package struct Project: Sendable, Hashable {
  /// The version that is written for one file; 1 is read too, which was only kept, and never saved.
  package static let version = 2
  /// That of parts of several files.
  package static let versionOfSeveral = 3
  /// The extension of its files, without the dot.
  package static let ending = "trimproject"
  /// The longest file, in bytes.
  package static let longest = 16 << 20

  /// The parts with their names, and the markers; the first source is the file that has the project.
  package var list: EditList
  /// Whether the parts become one file.
  package var joins: Bool
  package var selectedIndex: Int
  /// The first file's length and number of frames, so that parts are never applied to another file.
  package var bounds: MediaTimeRange
  package var frames: Int
  /// `nil` for that of a fresh start.
  package var limit: LengthLimit?
  /// The name of the output, as it is shown; its extension says the type.
  package var output: String
  package var mode: CutMode
  /// The numbers of the tracks that are written.
  package var tracks: [Int]

  /// - Parameter sources: all files of the session.
  package init(
    bounds: MediaTimeRange, frames: Int, list: PartList,
    sources: [EditList.Source] = [EditList.Source()], limit: LengthLimit?, settings: StudioSettings
  ) {
    self.bounds = bounds
    self.frames = frames
    self.list = EditList(list, of: sources)
    (joins, selectedIndex) = (list.joins, list.selectedIndex)
    self.limit = limit
    output = settings.output
    mode = settings.mode
    tracks = settings.tracks.filter(\.isWritten).map(\.id)
  }

  /// The parts and markers as a session takes them, whose files have the same order.
  package var partList: PartList? { partList(places: Array(list.sources.indices)) }

  /// - Parameter places: the index in the session of each source.
  package func partList(places: [Int]) -> PartList? {
    list.partList(joins: joins, selectedIndex: selectedIndex, places: places)
  }

  /// The files after the first one.
  package var others: [EditList.Source] { Array(list.sources.dropFirst()) }
}

extension Project: Codable {
  private enum CodingKeys: String, CodingKey {
    case version
    case list = "edit_list"
    case joins
    case selectedIndex = "selected_index"
    case bounds, frames, limit, output, mode, tracks
    /// Of version 1, whose parts were not an edit list.
    case parts = "list"
  }

  /// Reads what ``encode(to:)`` writes, and version 1.
  ///
  /// - Throws: `DecodingError`, also for another version and where the selected part is not in the list.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    switch version {
    case 1:
      let parts = try container.decode(PartList.self, forKey: .parts)
      (list, joins, selectedIndex) = (EditList(parts), parts.joins, parts.selectedIndex)
    case Self.version, Self.versionOfSeveral:
      list = try container.decode(EditList.self, forKey: .list)
      joins = try container.decode(Bool.self, forKey: .joins)
      selectedIndex = try container.decode(Int.self, forKey: .selectedIndex)
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription:
          "version \(version) of a project; only those to \(Self.versionOfSeveral) are known")
    }
    bounds = try container.decode(MediaTimeRange.self, forKey: .bounds)
    frames = try container.decode(Int.self, forKey: .frames)
    limit = try container.decodeIfPresent(LengthLimit.self, forKey: .limit)
    output = try container.decode(String.self, forKey: .output)
    mode = try container.decode(CutMode.self, forKey: .mode)
    tracks = try container.decode([Int].self, forKey: .tracks)
    let isSeveral = version == Self.versionOfSeveral
    guard
      isSeveral
        ? (2...TrimmingSession.mostSources).contains(list.sources.count)
        : list.sources.count == 1, let parts = partList, parts.parts.count <= PartList.capacity,
      parts.markers.count <= PartList.markerCapacity
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .list, in: container,
        debugDescription:
          "its parts are not those of \(isSeveral ? "its files" : "one file"), too many, or none of them is selected"
      )
    }
  }

  /// Writes the project with its version.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(
      list.sources.count > 1 ? Self.versionOfSeveral : Self.version, forKey: .version)
    try container.encode(list, forKey: .list)
    try container.encode(joins, forKey: .joins)
    try container.encode(selectedIndex, forKey: .selectedIndex)
    try container.encode(bounds, forKey: .bounds)
    try container.encode(frames, forKey: .frames)
    try container.encodeIfPresent(limit, forKey: .limit)
    try container.encode(output, forKey: .output)
    try container.encode(mode, forKey: .mode)
    try container.encode(tracks, forKey: .tracks)
  }
}
