extension ISOTrackBoxes {
  /// The media type of a track that does not come from an ISO file.
  package enum Media: Hashable, Sendable {
    case video, audio
    /// Timed text as `tx3g`.
    case timedText
    /// Subtitles as `stpp`, `wvtt` and the like.
    case subtitle
    /// A QuickTime text track of chapter titles: not enabled, so that no player displays it.
    case chapters
    case timecode
    case metadata
  }

  /// A header for a track that is rebuilt.
  ///
  /// Matrix and display size are set separately as properties. The track is enabled unless it is
  /// for chapters.
  ///
  /// - Parameters:
  ///   - id: a track_ID that no other track of the file has; references use it.
  ///   - timescale: ticks per second.
  ///   - language: see ``setLanguage(_:)``.
  ///   - name: the handler's name.
  package init(
    making media: Media, id: UInt32, timescale: UInt32, sampleEntries: [ISORawSampleEntry],
    language: String? = nil, name: String = ""
  ) {
    self.init(id: id, timescale: timescale, handler: media.handler)
    become(media)
    handlerName = name
    self.sampleEntries = sampleEntries
    if media == .audio { volume = 0x100 }
    if media == .chapters { flags = 2 }
    setLanguage(language)
  }

  /// Changes the media type, with the matching media header.
  package mutating func become(_ media: Media) {
    handler = media.handler
    informationBoxes = [media.header, .dataInformation]
  }

  /// Sets the language: three letters of ISO 639-2 in the media header, any other tag of BCP 47 in
  /// an `elng` box; `nil` for none.
  package mutating func setLanguage(_ tag: String?) {
    mediaBoxes.removeAll { $0.type == "elng" }
    language = tag.flatMap(Language.packed) ?? Language.undetermined
    guard let tag, language == Language.undetermined, tag != "und" else { return }
    mediaBoxes.append(
      ISORawBox("elng") {
        $0.u32(0)
        $0.raw(tag.utf8)
        $0.u8(0)
      })
  }

  /// Whether the header states no language: undetermined, or unspecified (QuickTime File Format,
  /// Language Code Values).
  package var lacksLanguage: Bool { [Language.undetermined, 0x7FFF].contains(language) }
}

extension Language {
  static let undetermined: UInt16 = 0x55C4

  /// Three letters of five bits each (ISO 14496-12, 8.4.2); `nil` for anything else.
  static func packed(_ code: String) -> UInt16? {
    let letters = Array(code.utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return nil
    }
    return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }
}
