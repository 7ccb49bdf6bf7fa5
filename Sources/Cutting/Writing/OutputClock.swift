#if FFmpeg
  import ExactTime
  import Libav

  /// Turns ticks of a source track into those of the output's stream.
  struct OutputClock {
    private let grid: TickGrid
    private let zero: Rational
    private let tick: Rational
    private let lead: Rational
    /// Behind the packet that was placed last, of a track whose packets are counted.
    private var next: Int64?
    private let counts: Bool
    /// Behind the picture that was placed last, where each has a place of its own.
    private var nextPlace = Int64.min
    let hasPlaces: Bool

    /// - Parameter counts: packets of sound stand one behind the other, and each picture in a place of its own, as AVI
    ///   has them.
    init(
      _ track: OutputTrack, tick: Rational, lead: Rational, counts: Bool
    ) {
      grid = track.grid
      self.counts = counts && track.audio != nil
      hasPlaces = counts && track.video != nil
      zero = track.zero
      self.tick = tick
      self.lead = lead
    }

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

    private func position(_ sourceTick: Int64) throws(ExactTimeError) -> Rational {
      try Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)
        .adding(lead).divided(by: tick)
    }

    /// The output's tick of the packet that is written next.
    ///
    /// Where packets are counted, one that begins less than a tick behind the end of the packet before stands
    /// there, and so does one that begins before it: rounded times would put two on one tick and leave the next empty.
    mutating func place(_ sourceTick: Int64, lasting length: Int64) throws(LibavError) -> Int64 {
      var place = try tick(sourceTick)
      if counts {
        if let next, place != next, let position = try? position(sourceTick),
          let late = try? position.subtracting(Rational(next)), late < Rational(1)
        {
          place = next
        }
        next = place &+ max(1, length)
      }
      return place
    }

    /// When a packet is decoded that the output's tick is given of: of two pictures that rounding puts into one place,
    /// the second one stands in the next.
    mutating func decodingPlace(_ tick: Int64) -> Int64 {
      guard hasPlaces else { return tick }
      let place = max(tick, nextPlace)
      nextPlace = place &+ 1
      return place
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
