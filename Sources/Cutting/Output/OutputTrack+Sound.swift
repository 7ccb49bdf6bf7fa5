#if FFmpeg
  import Bitstreams
  import ExactTime
  import MediaFacts
  import Trimming

  extension OutputTrack {
    /// Ends the last packet where its sound ends: a sample table may let every packet last longer
    /// than what it decodes to, and of the last one readers do not believe that.
    mutating func endWithSound(
      _ cut: inout AudioCut, of source: any CutSource, in container: OutputContainer,
      _ spool: PayloadSpool
    ) throws(CutError) {
      let codec = source.tracks[self.source].facts.codec
      guard container.isISO, AudioFrameLength.isStated(codec: codec), let last = packets.last,
        let (samples, rate) = AudioFrameLength.stated(
          codec: codec, try last.bytes(of: source, track: self.source, spool))
      else { return }
      do throws(ExactTimeError) {
        let length = try TickGrid(ticksPerSecond: Int64(rate)).duration(ofTicks: Int64(samples))
        let ticks = try grid.ticks(of: length, rounding: .up)
        let excess = last.duration &- ticks
        guard excess > 1 else { return }
        packets[packets.count - 1].duration = ticks
        let unheard = max(0, excess &- cut.hiddenEnd)
        cut.hiddenEnd = max(0, cut.hiddenEnd &- excess)
        guard unheard > 0 else { return }
        let end = try shown.end.moved(back: grid.duration(ofTicks: unheard))
        shown = MediaTimeRange(from: shown.start, to: max(shown.start, end)) ?? shown
      } catch {
        throw CutError.beyondNumbers
      }
    }
  }
#endif
