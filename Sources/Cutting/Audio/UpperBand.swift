import Bitstreams
import Glibc
import Libav
import MediaFacts
import Trimming

/// The power of sound in the upper half of its band, where HE-AAC has only what is replicated
/// (SBR; ISO/IEC 14496-3, 4.6.18): loudness as a whole does not show whether it is there.
struct UpperBand {
  /// The last samples of each channel, for the filter.
  private var recent: [[Float]] = []
  private var sum = 0.0
  /// Samples since the last power was taken.
  private(set) var count = 0

  /// Quieter sound is not compared: −60 dB of full scale.
  static let leastPower = 1e-6

  /// Half of a symmetric half-band filter of 63 taps (a windowed sinc): the odd ones from its
  /// middle on; the middle is 1/2, and the others are 0.
  private static let taps: [Float] = (0..<16).map { number in
    let place = Double(2 * number + 1)
    let window = 0.42 + 0.5 * cos(.pi * place / 32) + 0.08 * cos(2 * .pi * place / 32)
    return Float((number.isMultiple(of: 2) ? 1 : -1) / (.pi * place) * window)
  }

  private static let reach = 31

  mutating func add(_ sound: borrowing DecodedAudio, _ range: Range<Int>) {
    for channel in 0..<sound.channelCount {
      add(sound.samples(ofChannel: channel, range), channel)
    }
    count += range.count
  }

  /// Adds silence, and resets the filter.
  mutating func addSilence(_ count: Int) {
    recent = []
    self.count += count
  }

  /// The mean power of what was added since this was last called.
  mutating func takePower() -> Double {
    defer { (sum, count) = (0, 0) }
    return count > 0 ? sum / Double(count) : 0
  }

  private mutating func add(_ samples: [Float], _ channel: Int) {
    while recent.count <= channel { recent.append([Float](repeating: 0, count: 2 * Self.reach)) }
    let sound = recent[channel] + samples
    let taps = Self.taps
    for middle in Self.reach..<sound.count - Self.reach {
      var value = sound[middle] / 2
      for number in taps.indices {
        let place = 2 * number + 1
        value -= taps[number] * (sound[middle - place] + sound[middle + place])
      }
      sum += Double(value * value)
    }
    recent[channel] = Array(sound.suffix(2 * Self.reach))
  }
}

/// The power of the upper half of the band in consecutive windows of 50 ms.
struct UpperBandPowers {
  private let length: Int
  private var band = UpperBand()
  private(set) var powers: [Double] = []

  init(sampleRate: Int) { length = max(1, sampleRate / 20) }

  mutating func add(_ sound: borrowing DecodedAudio, _ range: Range<Int>) {
    eachWindow(of: range) { band, part in band.add(sound, part) }
  }

  mutating func addSilence(_ count: Int) {
    eachWindow(of: 0..<count) { band, part in band.addSilence(part.count) }
  }

  private mutating func eachWindow(
    of range: Range<Int>, _ add: (inout UpperBand, Range<Int>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(range.upperBound, start + length - band.count)
      add(&band, start..<end)
      start = end
      if band.count == length { powers.append(band.takePower()) }
    }
  }
}

extension CutPlan {
  /// Whether the proof compares the upper band of a track.
  func measuresBand(of track: TrackFacts) -> Bool {
    request.verification == .full && SBRHeaders.mayBe(in: track)
  }
}
