import CFFmpeg
import LateFFmpeg
import Synchronization

/// What FFmpeg logged about one input, kept instead of printed, because it quotes names and tags
/// from files.
package final class LibavLog: Sendable {
  /// The log for FFmpeg's own threads, which cannot be attributed to an input.
  package static let ofNobody = LibavLog()

  private struct State {
    var lines: [String] = []
    var last: String?
    var count = 0
    var errors = 0
    var lastError: String?
  }

  private let state = Mutex(State())

  /// How many lines are kept; later ones are only counted.
  package static let capacity = 200

  package init() {}

  /// The first lines; untrusted text.
  package var lines: [String] { state.withLock { $0.lines } }
  /// The latest line, whether it was kept or not; untrusted text.
  package var lastLine: String? { state.withLock { $0.last } }
  /// How many lines there were.
  package var count: Int { state.withLock { $0.count } }

  /// How many of them are errors, not warnings.
  package var errorCount: Int { state.withLock { $0.errors } }
  /// The latest error; untrusted text.
  package var lastError: String? { state.withLock { $0.lastError } }

  /// A line that the DNxHD decoder logs once per process, which says nothing about the current
  /// file.
  private static let saidOnce = "ACT flag set, in violation of frame header"

  private func add(_ line: String, isError: Bool) {
    state.withLock { state in
      state.count += 1
      state.last = line
      if isError {
        state.errors += 1
        state.lastError = line
      }
      if state.lines.count < Self.capacity { state.lines.append(line) }
    }
  }

  /// Collects what FFmpeg logs on this thread while a closure runs.
  func collecting<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = unsafe trim_ffmpeg_log_owner(Unmanaged.passUnretained(self).toOpaque())
    defer { _ = unsafe trim_ffmpeg_log_owner(before) }
    return try body()
  }

  /// Called once, after the libraries are loaded.
  static func install() {
    unsafe trim_ffmpeg_log_to { owner, level, line in
      guard let line = unsafe line else { return }
      let text = unsafe String(cString: line)
      let log = unsafe owner.map {
        unsafe Unmanaged<LibavLog>.fromOpaque($0).takeUnretainedValue()
      }
      let isError = level <= AV_LOG_ERROR && !text.contains(LibavLog.saidOnce)
      (log ?? .ofNobody).add(text, isError: isError)
    }
  }
}
