#if FFmpeg
  import CFFmpeg
  import LateFFmpeg
  import Synchronization

  /// FFmpeg's log, kept instead of printed: it quotes names and tags from files.
  package final class LibavLog: Sendable {
    package static let shared = LibavLog()

    private struct State {
      var lines: [String] = []
      var dropped = 0
      var errors = 0
    }

    private let state = Mutex(State())

    /// How many lines are kept between two calls of ``drain()``.
    package static let capacity = 200

    package var lastLine: String? { state.withLock { $0.lines.last } }

    /// Hands over what was logged since the last call.
    package func drain() -> (lines: [String], dropped: Int) {
      state.withLock { state in
        let result = (state.lines, state.dropped)
        state = State()
        return result
      }
    }

    fileprivate func add(level: Int32, _ line: String) {
      state.withLock { state in
        if level <= AV_LOG_ERROR { state.errors += 1 }
        if state.lines.count < Self.capacity {
          state.lines.append(line)
        } else {
          state.dropped += 1
        }
      }
    }

    /// Called once, after the libraries are loaded.
    static func install() {
      unsafe trim_ffmpeg_log_to { level, line in
        guard let line = unsafe line else { return }
        LibavLog.shared.add(level: level, unsafe String(cString: line))
      }
    }
  }
#endif
