import MediaFacts

/// Facts about a source that are costly to determine: an unknown one is recorded as missing, and the likely
/// answer is assumed meanwhile.
extension PartPlanner {
  /// The random access kind of a keyframe; recorded as missing where it is not known yet.
  ///
  /// Until it is known, the keyframe is assumed to be clean, so that a search for one stops there.
  func access(ofTrack index: Int, _ place: Int) -> RandomAccessKind {
    let learned = facts.learned[index]?.access[place]
    if let access = tracks[index].everyAccess ?? learned { return access }
    questions.missing.insert(.access(source: part.source, track: index, place: place))
    return .idr
  }

  /// Whether there is an encoder; recorded as missing where that is not known yet.
  func isEncodable(_ index: Int) -> Bool {
    if let isEncodable = facts.learned[index]?.isEncodable { return isEncodable }
    questions.missing.insert(.encoder(source: part.source, track: index))
    return true
  }

  /// Whether there is a decoder; recorded as missing where that is not known yet.
  func isDecodable(_ index: Int) -> Bool {
    if let isDecodable = facts.learned[index]?.isDecodable { return isDecodable }
    questions.missing.insert(.decoder(source: part.source, track: index))
    return true
  }

  /// Whether decoded pictures have an alpha channel; recorded as missing where that is not known yet.
  func decodesToAlpha(_ index: Int) -> Bool {
    if let isKnown = facts.learned[index]?.decodesToAlpha { return isKnown }
    questions.missing.insert(.alpha(source: part.source, track: index))
    return false
  }

  /// The lengths stated by MP4 audio packets themselves; recorded as missing where not known yet.
  func packetLengths(_ index: Int) -> [Int32] {
    guard facts.isISO, SoundCodec.tellsLengths(tracks[index].codec) else { return [] }
    if let lengths = facts.learned[index]?.packetLengths { return lengths }
    questions.missing.insert(.packetLengths(source: part.source, track: index))
    return []
  }

  /// The packets with the headers that the decoder of an audio packet needs; recorded as missing where not
  /// known yet.
  func soundEntry(ofTrack index: Int, _ place: Int) -> SoundEntry {
    guard tracks[index].repeatsHeaders else { return SoundEntry(before: place, next: place) }
    if let entry = facts.learned[index]?.soundEntries[place] { return entry }
    questions.missing.insert(.soundEntry(source: part.source, track: index, place: place))
    return SoundEntry(before: place, next: place)
  }

  /// Whether there is an audio encoder; recorded as missing where that is not known yet.
  func hasEncoder(for codec: Codec) -> Bool {
    if let isKnown = facts.soundEncoders[codec] { return isKnown }
    questions.missing.insert(.soundEncoder(source: part.source, codec: codec))
    return true
  }
}
