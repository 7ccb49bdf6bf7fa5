import CommandLineKit
import Detection
import ExactTime
import MediaEngine
import TerminalUI
import Threads
import Trimming

/// What `trim edit` looks for in its file: one search at a time, on a thread of its own.
@MainActor final class EditFinder {
  /// Blocking; the closure is called during the work, on any thread.
  typealias Look =
    @Sendable (_ options: FindOptions, _ isCancelled: @escaping @Sendable () -> Bool) throws ->
    Findings

  /// The kinds that the file can be examined for.
  let offered: [Finding.Kind]
  /// What is looked for, and what actions are about.
  private(set) var chosen: Set<Finding.Kind>
  /// What was found, and what could not be looked at.
  private(set) var found: Findings?
  private let look: Look
  private let repaint: @MainActor () -> Void
  private var running: (isCancelled: CancelSwitch, began: ContinuousClock.Instant)?

  /// - Parameter offered: where pictures are to be looked at, scenes are not chosen at first: all of the video
  ///   is in scenes, so that an action on all of them and something else would be about everything.
  init(
    _ offered: [Finding.Kind], repaint: @escaping @MainActor () -> Void, look: @escaping Look
  ) {
    (self.offered, self.look, self.repaint) = (offered, look, repaint)
    chosen = Set(offered).subtracting([.scene])
  }

  var isLooking: Bool { running != nil }

  /// What it does now; `nil` for nothing.
  var progress: String? {
    guard let running else { return nil }
    let names = offered.filter(chosen.contains).map(\.option).joined(separator: ", ")
    return "Looking for \(names): \((ContinuousClock.now - running.began).components.seconds) s"
  }

  func toggle(_ number: Int) -> Bool {
    guard offered.indices.contains(number - 1) else { return false }
    if !isLooking { chosen.formSymmetricDifference([offered[number - 1]]) }
    return true
  }

  /// - Parameter didFinish: called with the result, never after ``stop()``.
  /// - Throws: `VideoFailure`.
  func start(
    didFinish: @escaping @MainActor (Result<Findings, VideoFailure>) -> Void
  ) throws(VideoFailure) {
    guard !chosen.isEmpty else { throw VideoFailure("Choose what to look for.") }
    let options = try FindOptions(chosen)
    stop()
    let isCancelled = CancelSwitch()
    running = (isCancelled, .now)
    Task { [look] in
      let result: Result<Findings, VideoFailure>
      do {
        let found = try await WaitingThread.value { try look(options) { isCancelled.isOn } }
        result = .success(found)
      } catch {
        result = .failure(error as? VideoFailure ?? VideoFailure("\(error)"))
      }
      guard !isCancelled.isOn else { return }
      running = nil
      if case .success(let found) = result { self.found = found }
      didFinish(result)
    }
    Task { [repaint] in
      while !isCancelled.isOn, isLooking {
        repaint()
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  func stop() {
    running?.isCancelled.turnOn()
    running = nil
  }

  /// The list on the screen: the kinds, and what was found around an instant.
  func lines(_ findings: [TrimmingFinding], at time: MediaTime) -> [String] {
    var lines = offered.enumerated().map { number, kind in
      let count = findings.count { $0.kind == kind.shown }
      let wasSought = found?.options.kinds.contains(kind) == true
      return "\(number + 1) [\(chosen.contains(kind) ? "x" : " ")] \(kind.option)"
        + (wasSought ? "   \(count) found" : "")
    }
    if let progress { lines += ["", progress + "   Esc stops"] }
    if !findings.isEmpty {
      let current = findings.lastIndex { $0.range.start <= time } ?? 0
      let first = max(0, min(current - Self.shown / 2, findings.count - Self.shown))
      lines.append("")
      for (place, one) in findings.enumerated().dropFirst(first).prefix(Self.shown) {
        let isHere = place == current && one.range.start <= time
        lines.append(
          "\(isHere ? ">" : " ") \(one.kind.rawValue)  \(EditView.clock(one.range.start)) – "
            + EditView.clock(one.range.end))
      }
    }
    if let gaps = found?.gaps, !gaps.isEmpty {
      lines.append("")
      lines += gaps.prefix(Self.shown / 2).map { ForeignText.shown($0) }
      if gaps.count > Self.shown / 2 { lines.append("and \(gaps.count - Self.shown / 2) more") }
    }
    return lines
  }

  /// The most findings on the screen at a time.
  private static let shown = 8
}
