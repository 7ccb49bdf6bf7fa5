import MediaFacts
import Trimming

extension MediaFacts {
  /// The file's tags without those that are not valid for a part or in another container.
  var lastingTags: [Tag] { Self.lasting(tags) }

  /// Whether a tag of this name, in any case, is not carried over: a writer sets it itself, or it
  /// states a length or a count.
  static func isRemade(_ key: String) -> Bool {
    reported.contains(key.lowercased()) || Tag(key: key, value: "").countsWhole
  }

  fileprivate static func lasting(_ tags: [Tag]) -> [Tag] {
    tags.filter { !reported.contains($0.key.lowercased()) && !$0.countsWhole }
  }

  /// Tags that a writer sets itself or stores elsewhere; brands are those of the source's
  /// container.
  private static let reported: Set = [
    "encoder", "timecode", "major_brand", "minor_version", "compatible_brands",
  ]
}

extension CutSource {
  /// The file's tags for an output container with some tracks.
  ///
  /// Ogg has only track tags (Vorbis I, 5; RFC 7845, 5.2), which other containers have as file
  /// tags. The file tags of an output are those of the only tagged track, or, if the output does
  /// not support track tags, of the first one.
  ///
  /// - Returns: the tags, and the track they come from.
  func lastingTags(
    for container: OutputContainer, of written: Set<Int>
  ) -> (tags: [Tag], track: Int?) {
    // Encoders add their name to every track.
    let tagged = written.sorted().filter {
      !MediaFacts.lasting(tracks[$0].lastingTags).isEmpty || tracks[$0].facts.title != nil
    }
    guard facts.container.rules.isOgg, !container.rules.isOgg,
      let first = tagged.first, tagged.count == 1 || !container.rules.isMatroska
    else { return (facts.lastingTags, nil) }
    let track = tracks[first]
    let title = track.facts.title.map { [Tag(key: "title", value: $0)] } ?? []
    return (facts.lastingTags + title + MediaFacts.lasting(track.lastingTags), first)
  }
}

extension SourceTrack {
  /// The track's tags without those that are not valid for a part; mkvmerge names its statistics
  /// tags in `_STATISTICS_TAGS`.
  var lastingTags: [Tag] {
    let listed = facts.tags.filter { $0.name == "_statistics_tags" }
      .flatMap { $0.value.lowercased().split(separator: " ").map(String.init) }
    return facts.tags.filter {
      !$0.countsWhole && !listed.contains($0.name) && !$0.name.hasPrefix("_statistics_")
    }
  }
}

extension Tag {
  /// In lowercase, without the language that FFmpeg appends to the name of a Matroska tag.
  fileprivate var name: String {
    let key = key.lowercased()
    guard let dash = key.lastIndex(of: "-"), (2...3).contains(key[dash...].dropFirst().count)
    else { return key }
    return String(key[..<dash])
  }

  /// Whether it states a duration, or counts contents.
  fileprivate var countsWhole: Bool { Self.figures.contains(name) }

  private static let figures: Set = [
    "duration",
    // ID3v2.4, 4.2.3, and iTunes' own.
    "tlen", "itunsmpb",
    // Written by flvtool2 and yamdi into onMetaData.
    "audiosize", "datasize", "filesize", "lasttimestamp", "lastkeyframelocation",
    "lastkeyframetimestamp", "totalframes", "videosize",
  ]
}
