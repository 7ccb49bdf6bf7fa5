import ExactTime
import MediaFacts
import MediaFiles
import Trimming

extension OutputTrack {
  /// Counts copied AAC with SBR in core samples, half of the decoder's output rate (ISO/IEC
  /// 14496-3, 4.6.18): FFmpeg interprets the hidden part of an edit as core samples, and would
  /// hide twice as much.
  ///
  /// Only frames with SBR are 2048 samples long, or 1920, with a core of 1024 or 960. Uneven
  /// times are rounded down, by up to 23 µs at 44.1 kHz.
  mutating func countInCore(_ facts: TrackFacts) throws(MediaError) {
    guard facts.codec == .aac, let first = packets.first, var cut = audio,
      let rate = facts.audio?.sampleRate,
      // A header may state only the core rate, of 24 kHz at most.
      [rate, rate <= 24_000 ? 2 * rate : rate].contains(where: {
        grid == TickGrid(ticksPerSecond: Int64($0))
      }),
      packets.count(where: { [2048, 1920].contains($0.duration) }) > packets.count / 2
    else { return }
    let odd = first.pts & 1
    for place in packets.indices {
      let end = packets[place].pts &+ packets[place].duration
      packets[place].pts = (packets[place].pts &- odd) >> 1
      packets[place].dts = packets[place].pts
      let isLast = place == packets.count - 1
      packets[place].duration = (end &- odd &+ (isLast ? 1 : 0)) >> 1 &- packets[place].pts
    }
    cut.hiddenStart = (cut.hiddenStart &+ 1) / 2
    cut.hiddenEnd /= 2
    audio = cut
    do throws(ExactTimeError) {
      grid = try TickGrid(secondsPerTick: grid.secondsPerTick.multiplied(by: Rational(2)))
      zero = try zero.subtracting(Rational(odd)).divided(by: Rational(2))
    } catch {
      throw MediaError.beyondNumbers
    }
  }
}
