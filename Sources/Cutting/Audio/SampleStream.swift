import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Passes decoded samples to an encoder: those of several parts, concatenated without gaps or
/// overlaps.
final class SampleStream {
  private let coded: CodedTrack
  /// The grid of the times that the source states.
  private let grid: TickGrid
  private let parts: [AudioPart]
  private var part: AudioPart
  /// Offset of the track's sample count relative to the output's.
  private var shift: Int64 = 0
  private var isAtStart = true
  /// The next samples may have another rate.
  private var mayChange = false
  private let coding: AudioCoding
  private let byteCount: Int64
  private let isLossless: Bool
  private var encoder: EncoderBox?
  /// The samples of the part, counted from the output's first.
  private var wanted: Range<Int64> = 0..<0
  /// The next sample that the decoder outputs, and the next to be encoded.
  private var (next, done): (Int64, Int64) = (0, 0)
  private var sampleRate: Int64 = 0
  private var sum = SampleSum()
  /// Silence that was put where nothing was decoded, counted from the output's first sample
  /// at the rate of now.
  private var silences: [Range<Int64>] = []
  /// Of what is encoded, where it is asked for.
  private var powers: UpperBandPowers?
  private let measuresBand: Bool

  private final class EncoderBox {
    var value: AudioEncoder
    init(_ value: consuming AudioEncoder) { self.value = value }
  }

  /// - Parameters:
  ///   - grid: the grid of the times that the source states, however finely they are counted.
  ///   - parts: never empty.
  init(
    _ coded: CodedTrack, statedOn grid: TickGrid, _ parts: [AudioPart], _ coding: AudioCoding,
    byteCount: Int64, isLossless: Bool, measuresBand: Bool = false
  ) {
    self.coded = coded
    self.grid = grid
    self.parts = parts
    part = parts[0]
    self.coding = coding
    self.byteCount = byteCount
    self.isLossless = isLossless
    self.measuresBand = measuresBand
  }

  /// Whether anything has been decoded, so that the encoder is set up.
  var hasEncoder: Bool { encoder != nil }
  var frameSize: Int { encoder?.value.frameSize ?? 0 }
  var padding: Int { encoder?.value.initialPadding ?? 0 }

  func takePackets() -> [AudioEncoder.Packet] { encoder?.value.takePackets() ?? [] }

  /// Everything from now on belongs to this part.
  ///
  /// - Parameter isOther: whether it is of another file, which may decode to another rate, layout or
  ///   format.
  func begin(_ part: AudioPart, isOther: Bool = false) throws(MediaError) {
    self.part = part
    isAtStart = true
    guard let encoder else { return }
    do {
      try place()
      guard isOther else { return }
      try fill(upTo: wanted.lowerBound, encoder)
      let own = TickGrid(ticksPerSecond: Int64(encoder.value.sampleRate))
      try encoder.value.allowChange(after: own.ticks(of: part.offset, rounding: .up))
      mayChange = true
    } catch let error as LibavError {
      throw MediaError(cutting: error)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  /// Counts in the samples of another file.
  private func follow(_ rate: Int) throws(ExactTimeError) {
    mayChange = false
    guard Int64(max(1, rate)) != sampleRate else { return }
    let before = TickGrid(ticksPerSecond: sampleRate)
    sampleRate = Int64(max(1, rate))
    let grid = TickGrid(ticksPerSecond: sampleRate)
    silences = try silences.map { range throws(ExactTimeError) in
      // What is not a whole sample of this rate is not counted.
      let start = try grid.ticks(of: before.duration(ofTicks: range.lowerBound), rounding: .up)
      let end = try grid.ticks(of: before.duration(ofTicks: range.upperBound), rounding: .down)
      return start..<max(start, end)
    }
    try place()
    done = wanted.lowerBound
  }

  /// Finds the part's samples; a part ends where the next one begins.
  private func place() throws(ExactTimeError) {
    (wanted, shift) = try place(of: part)
  }

  private func place(
    of part: AudioPart
  ) throws(ExactTimeError) -> (wanted: Range<Int64>, shift: Int64) {
    let grid = TickGrid(ticksPerSecond: sampleRate)
    let from = try grid.ticks(of: part.range.start.distance(from: coded.origin), rounding: .up)
    let begin = try grid.ticks(of: part.offset, rounding: .up)
    return (begin..<max(begin, try end(of: part, from: from, begin, grid)), from &- begin)
  }

  /// How many samples a packet has, how many of them are heard in a part, and how many of those are
  /// silence because nothing was decoded; known once everything has been decoded.
  func heard(
    of packet: CodedPacket, in part: AudioPart
  ) throws(ExactTimeError) -> (packet: Int64, length: Int64, silent: Int64) {
    let (wanted, shift) = try place(of: part)
    let start = try sample(atTick: packet.pts, of: coded.grid) &- shift
    let end = try sample(atTick: packet.pts &+ max(0, packet.duration), of: coded.grid) &- shift
    let range = (start..<max(start, end)).clamped(to: wanted)
    let silent = silences.reduce(Int64(0)) { $0 &+ Int64(range.clamped(to: $1).count) }
    return (max(0, end &- start), Int64(range.count), silent)
  }

  private func end(
    of part: AudioPart, from: Int64, _ begin: Int64, _ grid: TickGrid
  ) throws(ExactTimeError) -> Int64 {
    guard parts.count > 1 else {
      return begin
        &+ (try grid.ticks(of: part.range.end.distance(from: coded.origin), rounding: .up))
        &- from
    }
    return try grid.ticks(of: part.offset.adding(part.range.length), rounding: .up)
  }

  /// Sets up the encoder for what a decoder outputs, without encoding it.
  func learnFormat(of decoder: borrowing Decoder) throws(MediaError) {
    do {
      let sound = try DecodedAudio()
      while !hasEncoder {
        switch decoder.receive(into: sound) {
        case .frame(let facts) where sound.sampleCount > 0:
          _ = try encoder(for: sound, facts, decoder)
        case .frame, .failed: continue
        case .needsInput, .ended: return
        }
      }
    } catch let error as LibavError {
      throw MediaError(cutting: error)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  /// Takes the available output of a decoder.
  ///
  /// - Returns: whether something could not be decoded, or only with errors.
  func drain(_ decoder: borrowing Decoder) throws(MediaError) -> Bool {
    var isDamaged = false
    do {
      let sound = try DecodedAudio()
      while true {
        switch decoder.receive(into: sound) {
        case .frame(let facts):
          isDamaged = isDamaged || facts.isDamaged
          try add(sound, facts, decoder)
        case .failed: isDamaged = true
        case .needsInput, .ended: return isDamaged
        }
      }
    } catch let error as LibavError {
      throw MediaError(cutting: error)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  private func add(
    _ sound: borrowing DecodedAudio, _ facts: FrameFacts, _ decoder: borrowing Decoder
  ) throws {
    guard sound.sampleCount > 0 else { return }
    if mayChange { try follow(facts.sampleRate) }
    let encoder = try encoder(for: sound, facts, decoder)
    if let time = facts.time {
      let stamped = try sample(atTick: time, of: coded.grid) &- shift
      // Rounded timestamps do not separate consecutive samples.
      let tolerance = 2 + (try sample(atTick: 2, of: grid))
      if isAtStart || abs(stamped - next) > tolerance { next = stamped }
    }
    isAtStart = false
    defer { next &+= Int64(sound.sampleCount) }
    if done < wanted.lowerBound { try fill(upTo: wanted.lowerBound, encoder) }
    if next > done, next < wanted.upperBound { try fill(upTo: next, encoder) }
    let from = Int(clamping: max(0, done - next))
    let to = Int(clamping: min(Int64(sound.sampleCount), wanted.upperBound - next))
    guard from < to else { return }
    try encoder.value.send(sound, from..<to)
    powers?.add(sound, from..<to)
    if isLossless, encoder.value.keepsSamples, !sum.add(sound, from..<to) {
      throw LibavError(.invalidData, "its sample format is not supported")
    }
    done = next + Int64(to)
  }

  /// The number of samples of all parts.
  private func sampleCount() throws(ExactTimeError) -> Int64 {
    guard parts.count > 1, let last = parts.last else { return Int64(wanted.count) }
    return try TickGrid(ticksPerSecond: sampleRate)
      .ticks(of: last.offset.adding(last.range.length), rounding: .up)
  }

  /// The same at the encoded sample rate.
  private func codedCount(_ rate: Int) throws(ExactTimeError) -> Int64 {
    guard Int64(rate) != sampleRate, let last = parts.last else { return try sampleCount() }
    let length =
      parts.count > 1 ? try last.offset.adding(last.range.length) : part.range.length
    return try TickGrid(ticksPerSecond: Int64(rate)).ticks(of: length, rounding: .up)
  }

  private func sample(atTick tick: Int64, of grid: TickGrid) throws(ExactTimeError) -> Int64 {
    let sample = try Rational(tick).multiplied(by: grid.secondsPerTick)
      .multiplied(by: Rational(sampleRate)).rounded(.nearest)
    // Far beyond any file, and far from overflow.
    guard (-1 << 60..<1 << 60).contains(sample) else { throw ExactTimeError.overflow }
    return sample
  }

  private func encoder(
    for sound: borrowing DecodedAudio, _ facts: FrameFacts, _ decoder: borrowing Decoder
  ) throws -> EncoderBox {
    if let encoder { return encoder }
    sampleRate = Int64(max(1, facts.sampleRate))
    try place()
    if measuresBand { powers = UpperBandPowers(sampleRate: Int(sampleRate)) }
    let length = max(1, try sampleCount())
    let bits = coding.bitRate(
      after: try Rational(checked: Int128(byteCount) * 8, over: Int128(length))
        .multiplied(by: Rational(sampleRate)).rounded(.up), channels: sound.channelCount)
    let made = EncoderBox(
      try AudioEncoder(
        coding.settings(
          bitRate: bits, channels: sound.channelCount, sampleRate: Int(sampleRate)),
        matching: sound, from: decoder))
    encoder = made
    return made
  }

  /// Fills gaps in the source with silence.
  private func fill(upTo end: Int64, _ encoder: EncoderBox) throws {
    let count = Int(clamping: end - done)
    guard count > 0 else { return }
    guard Int64(count) < 3600 * sampleRate else {
      throw LibavError(.invalidData, "its audio has a gap of more than an hour")
    }
    try encoder.value.sendSilence(count)
    if isLossless { sum.addSilence(count, channels: encoder.value.channels) }
    powers?.addSilence(count)
    silences.append(done..<end)
    done = end
  }

  func finish() throws(MediaError) -> MadeAudio {
    guard let encoder else {
      throw MediaError.noSound
    }
    do {
      try fill(upTo: sampleCount(), encoder)
      let rate = encoder.value.sampleRate
      let count = try codedCount(rate)
      try encoder.value.finish(count)
      return MadeAudio(
        codec: coding.codec, parameters: try encoder.value.parameters, sampleRate: rate,
        sampleCount: count, sum: isLossless && encoder.value.keepsSamples ? sum : nil,
        upperBand: powers?.powers, parts: parts)
    } catch let error as LibavError {
      throw MediaError(cutting: error)
    } catch {
      throw MediaError.beyondNumbers
    }
  }
}
