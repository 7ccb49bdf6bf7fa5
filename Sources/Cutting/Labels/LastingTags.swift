#if FFmpeg
  import MediaFacts
  import Trimming

  extension MediaFacts {
    /// Its tags but for those that are wrong of a part or in another container.
    var lastingTags: [Tag] { Self.lasting(tags) }

    fileprivate static func lasting(_ tags: [Tag]) -> [Tag] {
      tags.filter { !told.contains($0.key.lowercased()) && !$0.countsWhole }
    }

    /// What a writer states itself, or has a place of its own; brands are those of the source's container.
    private static let told: Set = [
      "encoder", "timecode", "major_brand", "minor_version", "compatible_brands",
    ]
  }

  extension CutSource {
    /// Tags of the file for an output of a kind with some tracks.
    ///
    /// Ogg has those of tracks alone (Vorbis I, 5; RFC 7845, 5.2), which are the file's elsewhere: those of the only
    /// track that has some, or of the first where an output has no place for those of others.
    ///
    /// - Returns: the tags, and the track whose they were.
    func lastingTags(
      for container: OutputContainer, of tracks: Set<Int>
    ) -> (tags: [Tag], track: Int?) {
      // Encoders sign every track.
      let tagged = tracks.sorted().filter {
        !MediaFacts.lasting(stated[$0].lastingTags).isEmpty || stated[$0].facts.title != nil
      }
      guard facts.container.format == OutputContainer.ogg.rawValue, !container.rules.isOgg,
        let first = tagged.first, tagged.count == 1 || !container.rules.isMatroska
      else { return (facts.lastingTags, nil) }
      let track = stated[first]
      let title = track.facts.title.map { [Tag(key: "title", value: $0)] } ?? []
      return (facts.lastingTags + title + MediaFacts.lasting(track.lastingTags), first)
    }
  }

  extension SourceTrack {
    /// Its tags but for those that are wrong of a part: mkvmerge's statistics list themselves.
    var lastingTags: [Tag] {
      let listed = facts.tags.filter { $0.name == "_statistics_tags" }
        .flatMap { $0.value.lowercased().split(separator: " ").map(String.init) }
      return facts.tags.filter {
        !$0.countsWhole && !listed.contains($0.name) && !$0.name.hasPrefix("_statistics_")
      }
    }
  }

  extension Tag {
    /// In small letters, without the language that FFmpeg puts behind the name of a tag of Matroska.
    fileprivate var name: String {
      let key = key.lowercased()
      guard let dash = key.lastIndex(of: "-"), (2...3).contains(key[dash...].dropFirst().count)
      else { return key }
      return String(key[..<dash])
    }

    /// Whether it says how long something is, or counts what is in it.
    fileprivate var countsWhole: Bool { Self.figures.contains(name) }

    private static let figures: Set = [
      "duration",
      // ID3v2.4, 4.2.3, and iTunes' own.
      "tlen", "itunsmpb",
      // What flvtool2 and yamdi put into onMetaData.
      "audiosize", "datasize", "filesize", "lasttimestamp", "lastkeyframelocation",
      "lastkeyframetimestamp", "totalframes", "videosize",
    ]
  }
#endif
