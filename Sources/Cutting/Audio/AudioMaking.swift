import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Decodes the audio of a range and re-encodes the samples within it.
struct AudioMaking {
  let source: any CutSource
  let index: Int
  let spool: PayloadSpool
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  var meter: WorkMeter?
  /// Whether the upper band is measured, for the proof.
  var measuresBand = false

  struct Result {
    /// Timed in samples from the first one that is heard.
    var packets: ContiguousArray<OutputPacket>
    var sound: MadeAudio
    /// Samples before those that are heard, and after them.
    var hiddenStart: Int64
    var hiddenEnd: Int64

    /// Number of audible samples, including the last packet's padding if nothing hides it.
    func heardCount(in container: OutputContainer) -> Int64 {
      container.rules.endsWithPacket(of: sound.codec)
        ? sound.sampleCount &+ hiddenEnd : sound.sampleCount
    }
  }

  /// - Parameter parts: in order; never empty.
  func make(_ parts: [AudioPart], _ coding: AudioCoding) throws(MediaError) -> Result {
    let coded = source.countedInSamples(index)
    var byteCount: Int64 = 0
    for place in parts.flatMap(\.cut.copied) {
      byteCount += Int64(try source.byteCount(ofTrack: index, place))
    }
    let stream = SampleStream(
      coded, statedOn: statedGrid, parts, coding,
      byteCount: byteCount,
      isLossless: coding.keepsSamples, measuresBand: measuresBand)
    var packets: ContiguousArray<OutputPacket> = []
    var failed: [Set<Int>] = []
    var before: AudioPart?
    for part in parts {
      guard !part.cut.copied.isEmpty else {
        failed.append([])
        continue
      }
      try stream.begin(part, isOther: isOther(part, than: before))
      before = part
      failed.append(try decode(part, coded, into: stream, &packets))
    }
    if !stream.hasEncoder { try learnFormat(stream, coded, parts) }
    var sound = try stream.finish()
    let damage = AudioDamage(source: source, index: index, coded: coded)
    for (part, failed) in zip(parts, failed) {
      sound.damage += try damage.entries(in: part, failed: failed, stream)
    }
    let last = parts.last { !$0.cut.copied.isEmpty }?.cut.copied.lowerBound ?? 0
    try keep(stream.takePackets(), place: last, &packets)
    return try result(
      packets, sound, frameSize: stream.frameSize, padding: stream.padding,
      hidesStart: coding.hidesStart)
  }

  /// Whether a part is of another file than the one before it.
  private func isOther(_ part: AudioPart, than before: AudioPart?) -> Bool {
    guard let before else { return false }
    let places = [before, part].map { source.holder(ofTrack: index, $0.cut.copied.lowerBound) }
    return places[0].number != places[1].number
  }

  /// The coarsest ticks that any file states times in.
  private var statedGrid: TickGrid {
    let grids = source.pieces.filter { $0.has(index, like: source) }.map(statedGrid(of:))
    return grids.max { $0.secondsPerTick < $1.secondsPerTick } ?? statedGrid(of: source)
  }

  private func statedGrid(of source: any CutSource) -> TickGrid {
    source.tracks[index].statedGrid ?? source.tracks[index].coded.grid
  }

  /// Where nothing in the parts decodes, sets up the encoder for the sound around them.
  private func learnFormat(
    _ stream: SampleStream, _ coded: CodedTrack, _ parts: [AudioPart]
  ) throws(MediaError) {
    guard let part = parts.first(where: { !$0.cut.copied.isEmpty }) else { return }
    let first = part.cut.copied.lowerBound
    for places in [
      max(0, first - Self.reach)..<first, first..<min(coded.packets.count, first + Self.reach),
    ] where !stream.hasEncoder {
      try source.prepare([index: [places]])
      let decoder = try source.decoder(
        ofTrack: index, limits: limits.demuxer, tick: coded.grid.secondsPerTick)
      for place in places where !stream.hasEncoder {
        if isCancelled() { throw MediaError.cancelled }
        let bytes = try source.bytes(ofTrack: index, place)
        // Nothing is missed if the decoder is full: it then has output.
        _ = try decoder.send(bytes, coded.packets[place])
        try stream.learnFormat(of: decoder.value)
      }
    }
  }

  /// How many packets away the format is looked for: over a minute of AAC.
  private static let reach = 4096

  /// - Returns: the packets that do not decode, or only with errors; later sound keeps its time.
  private func decode(
    _ part: AudioPart, _ coded: CodedTrack, into stream: SampleStream,
    _ packets: inout ContiguousArray<OutputPacket>
  ) throws(MediaError) -> Set<Int> {
    try decode(
      part, coded, from: try entry(before: part.cut.copied.lowerBound), into: stream
    ) { (made) throws(MediaError) in
      try keep(made, place: part.cut.copied.lowerBound, &packets)
    }
  }

  private func decode(
    _ part: AudioPart, _ coded: CodedTrack, from first: Int, into stream: SampleStream,
    _ take: ([AudioEncoder.Packet]) throws(MediaError) -> Void
  ) throws(MediaError) -> Set<Int> {
    let cut = part.cut
    var failed: Set<Int> = []
    let places = first..<cut.copied.upperBound
    try source.prepare([index: [places]])
    let decoder = try source.holder(ofTrack: index, cut.copied.lowerBound).source.decoder(
      ofTrack: index, limits: limits.demuxer, tick: coded.grid.secondsPerTick, keepsLead: true)
    try alignNoise(of: decoder, coded.packets, from: first, lead: cut.copied.lowerBound)
    for place in places {
      if isCancelled() { throw MediaError.cancelled }
      let bytes = try source.bytes(ofTrack: index, place)
      var isDamaged = false
      var result = try decoder.send(bytes, coded.packets[place])
      while result == .full {
        isDamaged = try stream.drain(decoder.value) || isDamaged
        result = try decoder.send(bytes, coded.packets[place])
      }
      isDamaged = try stream.drain(decoder.value) || isDamaged || result == .refused
      if isDamaged { failed.insert(place) }
      try take(stream.takePackets())
      if place >= cut.copied.lowerBound { meter?.didEncodeSound() }
    }
    decoder.value.finish()
    if try stream.drain(decoder.value), let last = places.last { failed.insert(last) }
    return failed
  }

  /// The power of the upper half of the band in windows of 50 ms, of parts as they are decoded from
  /// the beginning, or from so far before that no state is left from there.
  func upperBand(of parts: [AudioPart]) throws(MediaError) -> [Double] {
    guard let coding = AudioCoding(codec: .pcmS16LE, for: .wav) else { return [] }
    let coded = source.countedInSamples(index)
    let stream = SampleStream(
      coded, statedOn: statedGrid(of: source), parts, coding, byteCount: 0,
      isLossless: false, measuresBand: true)
    for part in parts where !part.cut.copied.isEmpty {
      try stream.begin(part)
      let first = Self.farEntry(before: part.cut.copied.lowerBound)
      _ = try decode(part, coded, from: first, into: stream) { _ in }
    }
    return stream.hasEncoder ? try stream.finish().upperBand ?? [] : []
  }

  /// Where decoding begins to compare: encoders repeat headers at least every few seconds, and this
  /// is over 20 s before.
  static func farEntry(before first: Int) -> Int { max(0, first - 1024) }

  /// Where decoding begins, so that a packet decodes as in the whole file.
  private func entry(before first: Int) throws(MediaError) -> Int {
    switch source.tracks[index].facts.codec {
    // The bit reservoir reaches far back.
    case .mp3: return max(0, first - 12)
    case .pcmDVD: return try wholeGroup(before: first)
    // Others need only the plan's packets and one more.
    default: return max(0, first - 1)
    }
  }

  /// The last packet before another one that begins with a whole group of samples: packets of DVD-Video's PCM
  /// may end within one, which the next completes.
  private func wholeGroup(before first: Int) throws(MediaError) -> Int {
    let packets = source.tracks[index].coded.packets
    guard first > 0 else { return 0 }
    guard let format = DVDSamples(try source.bytes(ofTrack: index, 0)) else { return 0 }
    var (place, rest) = (0, 0)
    for number in 1..<first {
      rest += packets[number - 1].byteCount - DVDSamples.headerByteCount
      rest %= format.groupByteCount
      if rest == 0 { place = number }
    }
    return place
  }

  private func keep(
    _ coded: [AudioEncoder.Packet], place: Int, _ packets: inout ContiguousArray<OutputPacket>
  ) throws(MediaError) {
    for packet in coded {
      packets.append(
        OutputPacket(
          pts: packet.pts, dts: packet.pts, duration: packet.duration, isKey: true,
          byteCount: packet.bytes.count, payload: .made(try spool.add(packet.bytes)),
          place: place))
    }
  }

  /// Assigns timestamps to the packets, and drops those after the last sample.
  private func result(
    _ coded: ContiguousArray<OutputPacket>, _ sound: MadeAudio, frameSize: Int, padding: Int,
    hidesStart: Bool
  ) throws(MediaError) -> Result {
    var packets = coded
    for place in packets.indices {
      if frameSize > 0 {
        packets[place].pts = Int64(place * frameSize - padding)
        packets[place].duration = Int64(frameSize)
      } else if place + 1 < packets.count {
        packets[place].duration = max(0, coded[place + 1].pts &- coded[place].pts)
      }
      packets[place].dts = packets[place].pts
    }
    packets.removeAll {
      $0.pts >= sound.sampleCount || (!hidesStart && frameSize > 0 && $0.pts < 0)
    }
    // The first Vorbis packet is not heard, which only Ogg granule positions express.
    if frameSize == 0, !hidesStart, let first = packets.first, first.pts < 0 {
      (packets[0].pts, packets[0].dts, packets[0].duration) = (0, 0, 0)
    }
    guard var last = packets.last, sound.sampleCount > 0 else {
      throw MediaError.noSound
    }
    // The last packet of these holds what is left; other codecs pad it with silence.
    if AudioCodec.isLossless(sound.codec) || AudioCodec.isUncompressed(sound.codec) {
      last.duration = sound.sampleCount - last.pts
    }
    packets[packets.count - 1] = last
    let end = last.pts &+ last.duration
    guard end >= sound.sampleCount else {
      throw MediaError(
        .internalError, "the encoder produced \(end) of \(sound.sampleCount) samples")
    }
    return Result(
      packets: packets, sound: sound,
      hiddenStart: max(0, -(packets.first?.pts ?? 0)),
      hiddenEnd: end - sound.sampleCount)
  }
}
