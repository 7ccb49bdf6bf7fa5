import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

extension CutPlan {
  /// From when on copied audio has its upper band, by track, where it is not there from the start.
  var laterBands: [Int: MediaTime?] {
    Dictionary(
      tracks.filter { $0.reasons.contains(.upperBandLater) }.map {
        ($0.index, $0.fullBandFrom)
      },
      uniquingKeysWith: { first, _ in first })
  }
}

extension CutProof {
  /// How many times less power than in the source is taken for a loss: 3 dB.
  ///
  /// What is replicated is partly noise, which differs with where decoding began.
  private static let mostLoss = 2.0

  /// Compares the upper half of the band with that of the source as decoded from the beginning: a
  /// decoder replicates it only after a header, which some packets have (SBR; ISO/IEC 14496-3,
  /// 4.4.2.8).
  func checkUpperBand(_ written: any CutSource, _ index: Int) throws(MediaError) {
    let track = tracks[index]
    guard isFull, examines, track.audio != nil, source.pieces.count == 1,
      SBRHeaders.mayBe(in: source.tracks[track.source].facts)
    else { return }
    if let made = track.made {
      try checkMadeBand(made, written, index)
    } else {
      try checkCopiedBand(written, index)
    }
  }

  private func checkMadeBand(
    _ made: MadeAudio, _ written: any CutSource, _ index: Int
  ) throws(MediaError) {
    guard made.damage.isEmpty, let encoded = made.upperBand else { return }
    let making = AudioMaking(
      source: source, index: tracks[index].source, spool: PayloadSpool(), limits: limits,
      isCancelled: isCancelled)
    let wanted = try making.upperBand(of: made.parts)
    try compare(encoded, wanted, index)
    // Lossy encoders may leave it out, as far as it is not heard.
    guard AudioCodec.isUncompressed(made.codec) || AudioCodec.isLossless(made.codec) else {
      return
    }
    try compare(heardBand(of: written, index, made), wanted, index)
  }

  /// The power in windows of 50 ms, from the first heard sample on.
  private func heardBand(
    of written: any CutSource, _ index: Int, _ made: MadeAudio
  ) throws(MediaError) -> [Double] {
    let start = max(0, tracks[index].audio?.hiddenStart ?? 0)
    let heard = start..<start + made.sampleCount
    var powers = UpperBandPowers(sampleRate: made.sampleRate)
    var position: Int64 = 0
    try decode(written, index, from: 0) { (_, sound) in
      let all = position..<position + Int64(sound.sampleCount)
      let part = all.clamped(to: heard)
      if !part.isEmpty {
        powers.add(sound, Int(part.lowerBound - position)..<Int(part.upperBound - position))
      }
      position = all.upperBound
    }
    return powers.powers
  }

  private func compare(
    _ found: [Double], _ wanted: [Double], _ index: Int
  ) throws(MediaError) {
    let lost = zip(found, wanted).enumerated().first { Self.isLost($1.0, of: $1.1) }
    if let lost { throw lostBand(index, lost.offset * 50) }
  }

  private static func isLost(_ power: Double, of wanted: Double) -> Bool {
    wanted > UpperBand.leastPower && power * mostLoss < wanted
  }

  private func lostBand(_ index: Int, _ milliseconds: Int) -> MediaError {
    failure(
      "the upper band of track \(index + 1) is missing at "
        + "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst()) s", index)
  }

  /// Copied packets decode to the same as in the source, packet by packet.
  private func checkCopiedBand(_ written: any CutSource, _ index: Int) throws(MediaError) {
    let (track, packets) = (tracks[index], tracks[index].packets)
    guard let places = heardPlaces(index) else { return }
    var found: [Int: Double] = [:]
    try powers(of: written, index, from: 0) { found[$0] = $1 }
    var from = packets.startIndex
    while from < packets.endIndex {
      var to = from + 1
      while to < packets.endIndex, packets[to].place == packets[to - 1].place + 1 { to += 1 }
      let offset = packets[from].place - from
      var wanted: [Int: Double] = [:]
      try powers(
        of: source, track.source, from: AudioMaking.farEntry(before: packets[from].place),
        upTo: packets[to - 1].place + 1
      ) { wanted[$0 - offset] = $1 }
      // The first two packets of a run overlap with what is no longer there.
      for place in from + 2..<max(from + 2, to) where places.contains(place) {
        guard let power = found[place], let wish = wanted[place], Self.isLost(power, of: wish)
        else { continue }
        let time = try? track.instant(atTick: packets[place].pts).seconds
          .multiplied(by: Rational(1000)).rounded(.down)
        throw lostBand(index, Int(clamping: time ?? 0))
      }
      from = to
    }
  }

  /// The packets that are heard with their upper band, according to the plan; `nil` for none.
  private func heardPlaces(_ index: Int) -> Set<Int>? {
    let track = tracks[index]
    let coded = source.tracks[track.source].coded
    var start = (track.packets.first?.pts ?? 0) &+ (track.audio?.hiddenStart ?? 0)
    if let later = laterBands[track.source] {
      guard let later else { return nil }
      let first = track.packets.first { packet in
        (try? coded.time(atTick: coded.packets[packet.place].pts)).map { $0 >= later } ?? false
      }
      guard let first else { return nil }
      // The band begins within its first packet.
      start = max(start, first.pts &+ first.duration)
    }
    return Set(track.packets.indices.filter { track.packets[$0].pts >= start })
  }

  private func powers(
    of file: any CutSource, _ index: Int, from entry: Int, upTo end: Int? = nil,
    _ take: (Int, Double) -> Void
  ) throws(MediaError) {
    var band = UpperBand()
    var last = entry
    try decode(file, index, from: entry, upTo: end) { place, sound in
      if place != last, band.count > 0 { take(last, band.takePower()) }
      last = place
      band.add(sound, 0..<sound.sampleCount)
    }
    if band.count > 0 { take(last, band.takePower()) }
  }

  /// Decodes packets of audio; errors are judged elsewhere.
  private func decode(
    _ file: any CutSource, _ index: Int, from entry: Int, upTo end: Int? = nil,
    _ take: (Int, borrowing DecodedAudio) -> Void
  ) throws(MediaError) {
    let packets = file.tracks[index].coded.packets
    let places = entry..<min(packets.count, end ?? packets.count)
    try file.prepare([index: [places]])
    let decoder = try file.decoder(ofTrack: index, limits: limits.demuxer)
    func drain(_ place: Int) throws(MediaError) {
      do throws(LibavError) {
        let sound = try DecodedAudio()
        while true {
          switch decoder.value.receive(into: sound) {
          case .frame: take(place, sound)
          case .failed: continue
          case .needsInput, .ended: return
          }
        }
      } catch {
        throw MediaError(cutting: error)
      }
    }
    for place in places {
      if isCancelled() { throw MediaError.cancelled }
      let bytes = try file.bytes(ofTrack: index, place)
      while try decoder.send(bytes, packets[place]) == .full { try drain(place) }
      try drain(place)
    }
    decoder.value.finish()
    if let last = places.last { try drain(last) }
  }
}
