public import ExactTime

/// Inputs of screens that measure in `Double`: each value is rounded to a grid at once, in a named
/// direction.
///
/// A value that is not a time (NaN, infinity, a tick outside 64 bits) changes nothing; a
/// ``SessionEvent/diagnostic(_:)`` reports it.
extension TrimmingPresenter {
  /// Sets the range from two endpoints in `Double` seconds, such as a slider's.
  ///
  /// - Parameter grid: the ticks of the video, or its frames; never an arbitrary round number.
  public func timeRangeDidChange(
    fromScreenSeconds start: Double, to end: Double, on grid: TickGrid, rounding: Rounding
  ) {
    takingTimes { () throws(ExactTimeError) in
      timeRangeDidChange(
        from: try MediaTime(screenSeconds: start, on: grid, rounding: rounding),
        to: try MediaTime(screenSeconds: end, on: grid, rounding: rounding))
    }
  }

  /// Reports the player's position in `Double` seconds, such as an `AVPlayer`'s.
  ///
  /// - Parameter grid: the ticks of the video, or its frames.
  public func playbackTimeDidChange(
    currentScreenSeconds: Double, on grid: TickGrid, rounding: Rounding
  ) {
    takingTimes { () throws(ExactTimeError) in
      playbackTimeDidChange(
        currentTime: try MediaTime(
          screenSeconds: currentScreenSeconds, on: grid, rounding: rounding))
    }
  }

  /// The user moved the playhead to a position in `Double` seconds.
  ///
  /// - Parameter grid: the ticks of the video, or its frames.
  public func playheadDidMove(
    toScreenSeconds seconds: Double, on grid: TickGrid, rounding: Rounding
  ) {
    takingTimes { () throws(ExactTimeError) in
      playheadDidMove(to: try MediaTime(screenSeconds: seconds, on: grid, rounding: rounding))
    }
  }

  private func takingTimes(_ body: () throws(ExactTimeError) -> Void) {
    do {
      try body()
    } catch {
      handle(.screenTimeDidFail(error))
    }
  }
}
