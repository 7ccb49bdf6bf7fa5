package import MediaFacts
package import Trimming

/// The answer to a ``MissingFact``; not to be trusted if it comes from another process.
package enum LearnedFact: Sendable, Hashable, Codable {
  /// What the bitstream signals for a keyframe and those around it, by index in decode order.
  case access(source: Int, track: Int, kinds: [Int: RandomAccessKind])
  case encoder(source: Int, track: Int, isAvailable: Bool)
  case decoder(source: Int, track: Int, isAvailable: Bool)
  case soundEncoder(source: Int, codec: Codec, isAvailable: Bool)
  /// There are codecs.
  case codecs(source: Int)
  case holders(source: Int, track: Int, containers: Set<OutputContainer>)
  case packetLengths(source: Int, track: Int, counts: [Int32])
  case soundEntry(source: Int, track: Int, place: Int, entry: AudioEntry)
  case alpha(source: Int, track: Int, isThere: Bool)

  /// The number of the source that it is about.
  var source: Int {
    switch self {
    case .access(let source, _, _), .encoder(let source, _, _), .decoder(let source, _, _),
      .soundEncoder(let source, _, _), .codecs(let source), .holders(let source, _, _),
      .packetLengths(let source, _, _), .soundEntry(let source, _, _, _),
      .alpha(let source, _, _):
      source
    }
  }
}

extension LearnedFact {
  /// Whether it is what was asked for.
  func answers(_ missing: MissingFact) -> Bool {
    switch (self, missing) {
    case (.access(let source, let track, let kinds), .access(let other, let same, let place)):
      source == other && track == same && kinds[place] != nil
    case (.encoder(let source, let track, _), .encoder(let other, let same)),
      (.decoder(let source, let track, _), .decoder(let other, let same)),
      (.holders(let source, let track, _), .holders(let other, let same)),
      (.packetLengths(let source, let track, _), .packetLengths(let other, let same)),
      (.alpha(let source, let track, _), .alpha(let other, let same)):
      source == other && track == same
    case (.soundEncoder(let source, let codec, _), .soundEncoder(let other, let same)):
      source == other && codec == same
    case (.codecs(let source), .codecs(let other)): source == other
    case (
      .soundEntry(let source, let track, let place, _), .soundEntry(let other, let same, let at)
    ):
      source == other && track == same && place == at
    default: false
    }
  }
}

extension MissingFact {
  /// Whether only a process with FFmpeg can learn it.
  var requiresFFmpeg: Bool {
    switch self {
    case .encoder, .decoder, .soundEncoder, .codecs, .holders, .alpha: true
    case .access, .packetLengths, .soundEntry: false
    }
  }
}

extension SourceFacts {
  /// Adds what was learned.
  ///
  /// - Returns: false for an answer that does not fit this source, which is then not used.
  mutating func add(_ fact: LearnedFact) -> Bool {
    switch fact {
    case .access(_, let track, let kinds):
      guard let count = packetCount(track), kinds.keys.allSatisfy((0..<count).contains) else {
        return false
      }
      learned[track, default: .init()].access.merge(kinds) { $1 }
    case .encoder(_, let track, let isAvailable):
      guard tracks.indices.contains(track) else { return false }
      learned[track, default: .init()].isEncodable = isAvailable
    case .decoder(_, let track, let isAvailable):
      guard tracks.indices.contains(track) else { return false }
      learned[track, default: .init()].isDecodable = isAvailable
    case .soundEncoder(_, let codec, let isAvailable):
      soundEncoders[codec] = isAvailable
    case .codecs: hasCodecs = true
    case .holders(_, let track, let containers):
      guard tracks.indices.contains(track) else { return false }
      learned[track, default: .init()].holders = containers
    case .packetLengths(_, let track, let counts):
      guard let count = packetCount(track), counts.isEmpty || counts.count == count,
        counts.allSatisfy({ $0 >= 0 })
      else { return false }
      learned[track, default: .init()].packetLengths = counts
    case .soundEntry(_, let track, let place, let entry):
      guard let count = packetCount(track), (0..<count).contains(place),
        (0...place).contains(entry.before), entry.next.map((place..<count).contains) ?? true
      else { return false }
      learned[track, default: .init()].soundEntries[place] = entry
    case .alpha(_, let track, let isThere):
      guard tracks.indices.contains(track) else { return false }
      learned[track, default: .init()].decodesToAlpha = isThere
    }
    return true
  }

  /// Whether a fact is known.
  func knows(_ fact: MissingFact) -> Bool {
    switch fact {
    case .access(_, let track, let place): learned[track]?.access[place] != nil
    case .encoder(_, let track): learned[track]?.isEncodable != nil
    case .decoder(_, let track): learned[track]?.isDecodable != nil
    case .soundEncoder(_, let codec): soundEncoders[codec] != nil
    case .codecs: hasCodecs
    case .holders(_, let track): learned[track]?.holders != nil
    case .packetLengths(_, let track): learned[track]?.packetLengths != nil
    case .soundEntry(_, let track, let place): learned[track]?.soundEntries[place] != nil
    case .alpha(_, let track): learned[track]?.decodesToAlpha != nil
    }
  }

  /// Whether the track and the packet exist that a fact is about.
  func has(_ fact: MissingFact) -> Bool {
    switch fact {
    case .access(_, let track, let place), .soundEntry(_, let track, let place):
      packetCount(track).map { (0..<$0).contains(place) } ?? false
    case .encoder(_, let track), .decoder(_, let track), .holders(_, let track),
      .packetLengths(_, let track), .alpha(_, let track):
      tracks.indices.contains(track)
    case .soundEncoder, .codecs: true
    }
  }

  private func packetCount(_ track: Int) -> Int? {
    tracks.indices.contains(track) ? tracks[track].coded.packets.count : nil
  }
}
