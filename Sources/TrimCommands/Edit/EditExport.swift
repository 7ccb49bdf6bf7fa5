import CommandLineKit
import ExactTime
import Synchronization
import TerminalUI
import Trimming

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a cut goes, and whether a file that is there may be replaced.
final class EditTarget: Sendable {
  let path: [UInt8]
  /// The name as it may be shown.
  let shown: String
  private let mayReplace: Mutex<Bool>
  private let written = Mutex<MediaTimeRange?>(nil)

  init(_ path: [UInt8], replaces: Bool, asciiOnly: Bool) {
    self.path = path
    shown = ForeignText.shown(path, asciiOnly: asciiOnly)
    mayReplace = Mutex(replaces)
  }

  var replaces: Bool { mayReplace.withLock { $0 } }
  func allowReplacing() { mayReplace.withLock { $0 = true } }

  /// The range that was written last.
  var writtenRange: MediaTimeRange? { written.withLock { $0 } }

  fileprivate func note(_ range: MediaTimeRange) { written.withLock { $0 = range } }

  /// A file is there that nobody has allowed to be replaced.
  var isTaken: Bool {
    guard !replaces else { return false }
    return (path + [0]).withUnsafeBytes { bytes in
      guard let name = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
      return access(name, F_OK) == 0
    }
  }
}

extension TrimmingPorts {
  /// The ports of a screen that has its film already and cuts it.
  static func editing(
    _ film: PlayFilm, flags: FirstVisitFlag, cutter: FilmCutter?, target: EditTarget
  ) -> TrimmingPorts {
    TrimmingPorts(
      probe: ProbePort { _ in film.timings }, flags: flags,
      export: ExportPort { request, progress in
        guard let cutter else { throw VideoFailure("this build of trim cannot cut") }
        let order = FilmCutter.Order(
          range: request.range, limit: request.limit, output: target.path,
          replaces: target.replaces)
        try await run(order, cutter, progress)
        target.note(request.range)
        return target.shown
      })
  }

  /// Off the main actor, until it is done or has wound down after a cancel.
  private static func run(
    _ order: FilmCutter.Order, _ cutter: FilmCutter, _ progress: @escaping ExportPort.Progress
  ) async throws {
    let isCancelled = CancelSwitch()
    try await withTaskCancellationHandler {
      do {
        try await WaitingThread.value {
          try cutter.cut(order) { share in
            progress(share)
            return !isCancelled.isOn
          }
        }
      } catch  where isCancelled.isOn {
        throw CancellationError()
      }
    } onCancel: {
      isCancelled.turnOn()
    }
  }
}

/// Thrown once, from any thread.
final class CancelSwitch: Sendable {
  private let state = Atomic<Bool>(false)

  var isOn: Bool { state.load(ordering: .relaxed) }
  func turnOn() { state.store(true, ordering: .relaxed) }
}
