#if FFmpeg
  import ExactTime
  import Libav

  /// Turns ticks of a source track into those of the output's stream.
  struct OutputClock {
    private let grid: TickGrid
    private let zero: Rational
    private let lead: Rational
    /// Seconds a tick of the output.
    let tick: Rational

    init(_ track: OutputTrack, tick: Rational, lead: Rational) {
      grid = track.grid
      zero = track.zero
      self.lead = lead
      self.tick = tick
    }

    /// Whether rounding can put two ticks of the source onto one.
    var isCoarser: Bool { grid.secondsPerTick < tick }

    /// Seconds on the output's timeline; far outside any file where numbers end.
    func seconds(_ sourceTick: Int64) -> Rational {
      (try? Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)) ?? .zero
    }

    /// The output's tick next to a tick of the source; the later one of two that are as near, so that
    /// even steps stay apart.
    func tick(_ sourceTick: Int64) throws(LibavError) -> Int64 {
      do throws(ExactTimeError) {
        return try position(sourceTick).adding(Rational(1, 2)).rounded(.down)
      } catch {
        throw LibavError(.invalidData, "its times are too large to calculate with")
      }
    }

    /// Where a tick of the source lies between those of the output.
    func position(_ sourceTick: Int64) throws(ExactTimeError) -> Rational {
      try Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)
        .adding(lead).divided(by: tick)
    }

    func ticks(_ duration: Int64) throws(LibavError) -> Int64 {
      do throws(ExactTimeError) {
        return try Rational(duration).multiplied(by: grid.secondsPerTick).divided(by: tick)
          .rounded(.nearest)
      } catch {
        throw LibavError(.invalidData, "its times are too large to calculate with")
      }
    }
  }
#endif
