#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  /// Decoded samples on their way into an encoder: those of a range, without gap or overlap.
  final class SampleStream {
    private let coded: CodedTrack
    private let range: MediaTimeRange
    private let coding: SoundCoding
    private let byteCount: Int64
    private let isLossless: Bool
    private var encoder: EncoderBox?
    /// The samples of the range, counted from the track's own zero.
    private var wanted: Range<Int64> = 0..<0
    /// The next sample that comes out of the decoder, and the next that is to be encoded.
    private var (next, done): (Int64, Int64) = (0, 0)
    private var sampleRate: Int64 = 0
    private var sum = SampleSum()

    private final class EncoderBox {
      var value: SoundEncoder
      init(_ value: consuming SoundEncoder) { self.value = value }
    }

    init(
      _ coded: CodedTrack, _ range: MediaTimeRange, _ coding: SoundCoding, byteCount: Int64,
      isLossless: Bool
    ) {
      self.coded = coded
      self.range = range
      self.coding = coding
      self.byteCount = byteCount
      self.isLossless = isLossless
    }

    /// Whether a sample of the range has come.
    var hasBegun: Bool { encoder != nil && done > wanted.lowerBound }
    var frameSize: Int { encoder?.value.frameSize ?? 0 }
    var padding: Int { encoder?.value.initialPadding ?? 0 }

    func takePackets() -> [SoundEncoder.Packet] { encoder?.value.takePackets() ?? [] }

    /// Takes what a decoder has.
    ///
    /// - Returns: whether something could not be decoded.
    func drain(_ decoder: borrowing Decoder) throws(CutError) -> Bool {
      var isDamaged = false
      do {
        let sound = try DecodedSound()
        while true {
          switch decoder.receive(into: sound) {
          case .frame(let facts): try add(sound, facts, decoder)
          case .failed: isDamaged = true
          case .needsInput, .ended: return isDamaged
          }
        }
      } catch let error as LibavError {
        throw CutError(error)
      } catch {
        throw CutError.beyondNumbers
      }
    }

    private func add(
      _ sound: borrowing DecodedSound, _ facts: FrameFacts, _ decoder: borrowing Decoder
    ) throws {
      guard sound.sampleCount > 0 else { return }
      let isFirst = encoder == nil
      let encoder = try encoder(for: sound, facts, decoder)
      if let time = facts.time {
        let stamped = try sample(atTick: time)
        // Times that are rounded do not part samples that follow each other.
        let tolerance = 2 + (try sample(atTick: 2))
        if isFirst || abs(stamped - next) > tolerance { next = stamped }
      }
      defer { next &+= Int64(sound.sampleCount) }
      if next > done, next < wanted.upperBound { try fill(upTo: next, encoder) }
      let from = Int(clamping: max(0, done - next))
      let to = Int(clamping: min(Int64(sound.sampleCount), wanted.upperBound - next))
      guard from < to else { return }
      try encoder.value.send(sound, from..<to)
      if isLossless, !sum.add(sound, from..<to) {
        throw LibavError(.invalidData, "its samples are of a kind that is not read")
      }
      done = next + Int64(to)
    }

    private func sample(atTick tick: Int64) throws(ExactTimeError) -> Int64 {
      let sample = try Rational(tick).multiplied(by: coded.grid.secondsPerTick)
        .multiplied(by: Rational(sampleRate)).rounded(.nearest)
      // Far beyond any film, and far from the ends of numbers.
      guard (-1 << 60..<1 << 60).contains(sample) else { throw ExactTimeError.overflow }
      return sample
    }

    private func encoder(
      for sound: borrowing DecodedSound, _ facts: FrameFacts, _ decoder: borrowing Decoder
    ) throws -> EncoderBox {
      if let encoder { return encoder }
      sampleRate = Int64(max(1, facts.sampleRate))
      let grid = TickGrid(ticksPerSecond: sampleRate)
      let from = try grid.ticks(of: range.start.distance(from: coded.origin), rounding: .up)
      let to = try grid.ticks(of: range.end.distance(from: coded.origin), rounding: .up)
      wanted = from..<max(from, to)
      done = from
      let length = max(1, wanted.count)
      let bits = try Rational(checked: Int128(byteCount) * 8, over: Int128(length))
        .multiplied(by: Rational(sampleRate)).rounded(.up)
      let made = EncoderBox(
        try SoundEncoder(
          coding.settings(
            bitRate: bits, channels: sound.channelCount, sampleRate: Int(sampleRate)),
          matching: sound, from: decoder))
      encoder = made
      return made
    }

    /// Where the source holds nothing there is silence.
    private func fill(upTo end: Int64, _ encoder: EncoderBox) throws {
      let count = Int(clamping: end - done)
      guard count > 0 else { return }
      guard Int64(count) < 3600 * sampleRate else {
        throw LibavError(.invalidData, "its sound has a hole of more than an hour")
      }
      try encoder.value.sendSilence(count)
      if isLossless { sum.addSilence(count, channels: encoder.value.channels) }
      done = end
    }

    func finish() throws(CutError) -> MadeSound {
      guard let encoder else {
        throw CutError(.damaged, "none of its sound in the range can be decoded")
      }
      do {
        try fill(upTo: wanted.upperBound, encoder)
        try encoder.value.finish()
        return MadeSound(
          parameters: try encoder.value.parameters, sampleRate: Int(sampleRate),
          sampleCount: Int64(wanted.count), sum: isLossless ? sum : nil)
      } catch let error as LibavError {
        throw CutError(error)
      } catch {
        throw CutError.beyondNumbers
      }
    }
  }
#endif
