import MediaFacts

/// What a plan asks of a source that is costly to know: what is not known yet becomes a question, and the likely
/// answer is taken meanwhile.
extension PartPlanner {
  /// What the bitstream says of a keyframe; a question where that is not known yet.
  ///
  /// Until it is answered the keyframe is taken for a clean one: whoever looks for one asks no further.
  func access(ofTrack index: Int, _ place: Int) -> RandomAccessKind {
    let learned = facts.learned[index]?.access[place]
    if let access = tracks[index].everyAccess ?? learned { return access }
    questions.missing.insert(.access(source: part.source, track: index, place: place))
    return .idr
  }

  /// Whether there is an encoder; a question where that is not known yet.
  func isEncodable(_ index: Int) -> Bool {
    if let isEncodable = facts.learned[index]?.isEncodable { return isEncodable }
    questions.missing.insert(.encoder(source: part.source, track: index))
    return true
  }

  /// Whether there is a decoder; a question where that is not known yet.
  func isDecodable(_ index: Int) -> Bool {
    if let isDecodable = facts.learned[index]?.isDecodable { return isDecodable }
    questions.missing.insert(.decoder(source: part.source, track: index))
    return true
  }

  /// How long packets of MP4 say that they are; a question where they were not asked.
  func packetLengths(_ index: Int) -> [Int32] {
    guard facts.isISO, SoundCodec.tellsLengths(tracks[index].codec) else { return [] }
    if let lengths = facts.learned[index]?.packetLengths { return lengths }
    questions.missing.insert(.packetLengths(source: part.source, track: index))
    return []
  }

  /// Whether there is an encoder of sound; a question where that is not known yet.
  func hasEncoder(for codec: String) -> Bool {
    if let isKnown = facts.soundEncoders[codec] { return isKnown }
    questions.missing.insert(.soundEncoder(source: part.source, codec: codec))
    return true
  }
}
