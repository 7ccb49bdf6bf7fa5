public import ExactTime

/// Containers with coarse ticks, such as Matroska's milliseconds, round every time. Where frames or
/// samples can be counted instead, their times are exact again.
extension CodedTrack {
  /// The track on a grid where every frame at a constant rate lasts whole ticks.
  ///
  /// Returns `nil` where a frame is farther from its expected time than this track's tick rounding
  /// explains.
  public func counted(framesPerSecond rate: Rational) -> CodedTrack? {
    var multiple: Int64 = 1
    while multiple < 1 << 20, rate.numerator < 10_000 / multiple { multiple *= 2 }
    let (ticks, overflow) = rate.numerator.multipliedReportingOverflow(by: multiple)
    guard rate.isPositive, !overflow, ticks <= Int64(Int32.max),
      let frame = try? Rational(rate.denominator).multiplied(by: Rational(multiple))
    else { return nil }
    return counted(
      on: TickGrid(ticksPerSecond: ticks), step: frame,
      places: packets.indices.sorted { packets[$0].pts < packets[$1].pts })
  }

  /// - Parameters:
  ///   - step: ticks of the new grid from one packet to the next.
  ///   - places: the packets in the order in which they are shown.
  private func counted(on grid: TickGrid, step: Rational, places: [Int]) -> CodedTrack? {
    do {
      let ratio = try self.grid.secondsPerTick.divided(by: grid.secondsPerTick)
      guard let first = places.first else { return nil }
      let base = try Rational(packets[first].pts).multiplied(by: ratio)
      let start = try base.rounded(.nearest)
      var result = self
      result.grid = grid
      var last: Int64?
      for place in places {
        let time = try Rational(packets[place].pts).multiplied(by: ratio)
        let count = try time.subtracting(base).divided(by: step).rounded(.nearest)
        guard last.map({ count > $0 }) ?? true else { return nil }
        last = count
        let tick = try step.multiplied(by: Rational(count)).adding(Rational(start))
        let error = try tick.subtracting(time)
        guard error <= ratio, try error.adding(ratio).numerator >= 0 else { return nil }
        result.packets[place].pts = try tick.rounded(.nearest)
        result.packets[place].dts = try Rational(packets[place].dts).multiplied(by: ratio)
          .rounded(.nearest)
        if packets[place].pts == visible.lowerBound {
          result.visible = result.packets[place].pts..<visible.upperBound
        }
      }
      // A frame may stay on screen for longer than one frame period: until the next one is shown, or for the
      // stated duration if it is the last.
      for (place, next) in zip(places, places.dropFirst()) {
        result.packets[place].duration = result.packets[next].pts - result.packets[place].pts
      }
      if let place = places.last {
        let stated = try Rational(packets[place].duration).multiplied(by: ratio)
        let isLonger = try stated.subtracting(step) > ratio
        result.packets[place].duration = try (isLonger ? stated : step).rounded(.nearest)
      }
      return result
    } catch {
      return nil
    }
  }
}

extension CodedTrack {
  /// Whether every packet of another version of the track begins at the same instant: nothing was
  /// rounded.
  public func hasTimes(of other: CodedTrack) -> Bool {
    zip(packets, other.packets).allSatisfy { mine, its in
      guard let time = try? self.time(atTick: mine.pts) else { return false }
      return (try? other.time(atTick: its.pts)) == time
    }
  }

  /// The nearest frame start or end within a tolerance: a time rounded to whole ticks is off by up to half a
  /// tick, and by exactly that where two are equally near.
  func boundary(within tolerance: MediaDuration, of time: MediaTime) -> MediaTime? {
    guard let near = try? firstTick(notBefore: time),
      let reach = try? grid.ticks(of: tolerance, rounding: .up),
      case (let low, false) = near.subtractingReportingOverflow(reach),
      case (let high, false) = near.addingReportingOverflow(reach), low <= high
    else { return nil }
    var best: (time: MediaTime, distance: MediaDuration)?
    for packet in packets {
      for tick in [packet.pts, packet.pts &+ packet.duration]
      where (low...high).contains(tick) {
        guard let instant = try? self.time(atTick: tick),
          let distance = try? instant.distance(from: time).checkedMagnitude(),
          distance <= tolerance, best.map({ distance < $0.distance }) ?? true
        else { continue }
        best = (instant, distance)
      }
    }
    return best?.time
  }
}
