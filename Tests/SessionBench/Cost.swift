import ExactTime
import Glibc
import Trimming

/// Nanoseconds of CPU time per value, in a loop over many.
///
/// The fastest of many short rounds: other load on the machine only ever adds time.
struct Cost {
  var nanoseconds: Double
  var perSecond: Double { 1e9 / nanoseconds }

  init(values: Int, rounds: Int = 25, _ loop: () -> Void) {
    let seconds = (0..<rounds).map { _ in
      let start = threadTime()
      loop()
      return threadTime() - start
    }
    nanoseconds = (seconds.min() ?? .nan) / Double(values) * 1e9
  }
}

/// Seconds of CPU time that this thread has taken.
func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

// Functions that do nothing, which the optimizer must not see.
@inline(never) @_optimize(none) func pass(_ time: MediaTime) {}
@inline(never) @_optimize(none) func pass(_ effects: borrowing [SessionEffect]) {}

extension Cost {
  /// An empty loop: each value is handed to a function that does nothing.
  static func ofNothing(_ times: [MediaTime]) -> Cost {
    Cost(values: times.count) { for time in times { pass(time) } }
  }

  /// The same values, each reported as the position of playback.
  static func ofPositions(_ times: [MediaTime]) -> Cost {
    var session = Clip.session()
    return Cost(values: times.count) {
      for time in times { pass(session.handle(.playbackTimeDidChange(currentTime: time))) }
    }
  }

  /// The same values, each as the in-point of a new range: with events, log and picture.
  static func ofDragging(_ times: [MediaTime]) -> Cost {
    var session = Clip.session()
    _ = session.handle(.dragDidBegin)
    return Cost(values: times.count, rounds: 3) {
      for time in times {
        pass(session.handle(.timeRangeDidChange(from: time, to: Clip.out)))
      }
    }
  }

  /// The same positions, reported to a presenter: with its observable state.
  @MainActor static func ofPresenting(_ times: [MediaTime]) -> Cost {
    let presenter = Clip.presenter()
    return Cost(values: times.count, rounds: 3) {
      for time in times { presenter.playbackTimeDidChange(currentTime: time) }
    }
  }
}
