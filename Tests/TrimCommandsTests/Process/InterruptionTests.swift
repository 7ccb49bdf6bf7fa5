import Glibc
import Support
import Testing

/// Files small on disk that keep the tool busy for seconds.
private enum LongClip: String, CaseIterable, Sendable {
  case scanned, decoded

  func bytes(frames: Int) -> [UInt8] {
    switch self {
    // MPEG-2 Layer III in its smallest frames: 24 bytes each, all silent (ISO 13818-3, 2.4.2.3).
    case .scanned:
      Bombs.repeated([0xFF, 0xF3, 0x14, 0xC0] + [UInt8](repeating: 0, count: 20), count: frames)
    // A few bytes per picture, and nine million pixels of error concealment.
    case .decoded: Bombs.h264(widthInMacroblocks: 256, height: 136, pictures: 2000)
    }
  }

  var options: [String] {
    (self == .decoded ? ["--depth", "frames"] : []) + ["--timeout", "3600"]
  }
}

/// A run of the tool on a terminal, which has begun to draw its progress.
private struct BusyRun {
  let folder: ScratchFolder
  let terminal: PseudoTerminal
  let child: ChildProcess

  /// - Parameter frames: the number of audio frames in a file that is scanned.
  init(
    _ clip: LongClip, command: String = "probe", copies: Int = 1, frames: Int = 1_200_000
  ) async throws {
    folder = try ScratchFolder()
    let path = try folder.write(clip.bytes(frames: frames), to: "clip")
    terminal = try PseudoTerminal()
    child = try ChildProcess(
      "trim", arguments: [command] + clip.options + Array(repeating: path, count: copies),
      environment: ["TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8", "TMPDIR": folder.path],
      on: terminal)
    try await terminal.output(until: copies > 1 ? "files done" : "scanning ")
  }

  /// A run that was told to end while it was at work.
  ///
  /// On a busy machine it may finish before that; then it is run again.
  static func ended(
    _ clip: LongClip, command: String = "probe", copies: Int = 1,
    by tell: (BusyRun) throws -> Void, _ status: Int32
  ) async throws -> BusyRun {
    for attempt in 1...10 {
      let run = try await BusyRun(clip, command: command, copies: copies)
      try tell(run)
      let change = try await run.child.nextChange()
      if attempt < 10, [.exited(0), .exited(1), .exited(65)].contains(change) { continue }
      #expect(change == .exited(status))
      return run
    }
    throw ScratchFolder.SystemFailure(call: "a run that is long enough", number: 0)
  }

  /// The final content of the terminal: its lines as last rewritten.
  func screen() async throws -> [String] {
    let lines = try await terminal.remainingOutput().split(
      separator: "\r\n", omittingEmptySubsequences: false)
    return lines.map { line in
      let rewritings = line.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
      return rewritings.last.map { String($0) } ?? ""
    }
  }
}

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a probe that is working on a file` {
  @Test(
    arguments: [(SIGINT, 130, "interrupted"), (SIGTERM, 143, "terminated")], LongClip.allCases)
  private func `then a signal ends it with its status, a message and a clean line`(
    _ signal: (number: Int32, status: Int32, word: String), _ clip: LongClip
  ) async throws {
    let run = try await BusyRun.ended(clip, by: { $0.child.send(signal.number) }, signal.status)
    #expect(try await run.screen() == ["trim: \(signal.word)", ""])
    #expect(run.folder.names == [Array("clip".utf8)])
  }

  @Test func `then Ctrl-C on its terminal does the same`() async throws {
    let run = try await BusyRun.ended(.decoded, by: { try $0.terminal.type("\u{3}") }, 130)
    #expect(try await run.screen() == ["trim: interrupted", ""])
    #expect(run.terminal.isCooked)
  }

  @Test func `then a second signal ends it at once`() async throws {
    let run = try await BusyRun.ended(
      .decoded,
      by: { run in
        run.child.send(SIGINT)
        run.child.send(SIGINT)
      }, 130)
    #expect(try await run.screen().last == "")
  }

  @Test(arguments: ["probe", "check"])
  func `then a signal ends the run for all files`(_ command: String) async throws {
    let run = try await BusyRun.ended(
      .scanned, command: command, copies: 5, by: { $0.child.send(SIGTERM) }, 143)
    let screen = try await run.screen()
    #expect(screen.contains("trim: terminated"))
    #expect(screen.last == "")
  }

  @Test func `then constant resizing of the window does no harm`() async throws {
    let run = try await BusyRun(.scanned, frames: 300_000)
    for step in 0..<500 {
      try run.terminal.resize(
        columns: Int32([1, 2, 20, 80, 500][step % 5]), rows: 1 + Int32(step % 50))
    }
    try run.terminal.resize(columns: 80, rows: 24)
    #expect(try await run.child.nextChange() == .exited(0))
    let screen = try await run.screen()
    #expect(screen.first?.contains("7.2 MB") == true)
    #expect(screen.filter { $0.contains("scanning") || $0.count > 80 }.isEmpty)
  }
}
