import ExactTime
import Libav

/// Converts ticks of a source track to those of the output's stream.
struct OutputClock {
  private let grid: TickGrid
  private let zero: Rational
  private let lead: Rational
  /// Duration of an output tick in seconds.
  let tick: Rational

  init(_ track: OutputTrack, tick: Rational, lead: Rational) {
    grid = track.grid
    zero = track.zero
    self.lead = lead
    self.tick = tick
  }

  /// Whether rounding can map two source ticks to the same output tick.
  var isCoarser: Bool { grid.secondsPerTick < tick }

  /// Seconds on the output's timeline; zero on overflow.
  func seconds(_ sourceTick: Int64) -> Rational {
    (try? Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)) ?? .zero
  }

  /// The output tick nearest to a source tick; the later one of two that are equally near, so
  /// that even steps stay distinct.
  func tick(_ sourceTick: Int64) throws(LibavError) -> Int64 {
    do throws(ExactTimeError) {
      return try position(sourceTick).adding(Rational(1, 2)).rounded(.down)
    } catch {
      throw LibavError(.invalidData, "its timestamps overflow 64-bit arithmetic")
    }
  }

  /// The exact position of a source tick, in output ticks.
  func position(_ sourceTick: Int64) throws(ExactTimeError) -> Rational {
    try Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)
      .adding(lead).divided(by: tick)
  }

  func ticks(_ duration: Int64) throws(LibavError) -> Int64 {
    do throws(ExactTimeError) {
      return try Rational(duration).multiplied(by: grid.secondsPerTick).divided(by: tick)
        .rounded(.nearest)
    } catch {
      throw LibavError(.invalidData, "its timestamps overflow 64-bit arithmetic")
    }
  }
}
