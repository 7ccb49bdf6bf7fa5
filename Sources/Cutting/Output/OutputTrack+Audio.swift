import Bitstreams
import ExactTime
import MediaFacts
import MediaFiles
import Trimming

extension OutputTrack {
  /// The duration at the start that is decoded but not heard.
  ///
  /// It extends up to the output's zero, if audio is heard from there: the source's ticks may be
  /// milliseconds, and IN may fall between two of them. If the first packet began before the
  /// codec delay by that fraction of a tick, its timestamp would be below zero, which Matroska
  /// readers treat as no timestamp.
  var unheardAtStart: MediaDuration {
    guard let cut = audio, cut.hiddenStart > 0,
      let stated = try? grid.duration(ofTicks: cut.hiddenStart)
    else { return .zero }
    guard made == nil, shown.start == .zero, let first = packets.first,
      let ticks = try? zero.subtracting(Rational(first.pts)),
      let exact = try? ticks.multiplied(by: grid.secondsPerTick),
      let rest = try? ticks.subtracting(Rational(cut.hiddenStart)),
      rest.isPositive, rest < .one
    else { return stated }
    return MediaDuration(seconds: exact)
  }

  /// Ends the last packet where its audio ends: a sample table may state a longer duration for
  /// every packet than it decodes to, but readers do not accept that for the last one.
  mutating func endWithSound(
    _ cut: inout AudioCut, of source: any CutSource, in container: OutputContainer,
    _ spool: PayloadSpool
  ) throws(MediaError) {
    let codec = source.tracks[self.source].facts.codec
    let endsEarly = codec == .opus && container.hidesSamples(of: codec)
    guard container.isISO || endsEarly, AudioFrameLength.isStated(codec: codec),
      let last = packets.last,
      let (samples, rate) = AudioFrameLength.stated(
        codec: codec, try last.bytes(of: source, track: self.source, spool))
    else { return }
    do throws(ExactTimeError) {
      let length = try TickGrid(ticksPerSecond: Int64(rate)).duration(ofTicks: Int64(samples))
      let ticks = try grid.ticks(of: length, rounding: .up)
      let excess = last.duration &- ticks
      if !container.isISO, excess < -1 {
        // In MP4 the last packet lasts as long as it is heard; other containers state the unheard
        // part.
        packets[packets.count - 1].duration = ticks
        cut.hiddenEnd &-= excess
      }
      guard container.isISO, excess > 1 else { return }
      packets[packets.count - 1].duration = ticks
      let unheard = max(0, excess &- cut.hiddenEnd)
      cut.hiddenEnd = max(0, cut.hiddenEnd &- excess)
      guard unheard > 0 else { return }
      let end = try shown.end.moved(back: grid.duration(ofTicks: unheard))
      shown = MediaTimeRange(from: shown.start, to: max(shown.start, end)) ?? shown
    } catch {
      throw MediaError.beyondNumbers
    }
  }
}
