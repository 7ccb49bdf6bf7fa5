import CommandLineKit
import MediaEngine
import MediaFacts
import Synchronization

@testable import TrimCommands

/// A run of the whole tool inside the test, with hand-made facts in place of an engine, and both
/// streams captured.
struct ToolRun {
  var status: Int32
  var out: String
  var err: String

  /// - Parameters:
  ///   - clips: the probe result of each path; other paths are missing.
  ///   - terminal: whether stdout and stderr are a terminal, 80 cells wide.
  init(
    _ words: [ArgumentText], clips: [String: Result<MediaFacts, MediaError>] = [:],
    environment: [String: String] = ["COLUMNS": "80", "LANG": "en_US.UTF-8"],
    terminal: Bool = false, closesOutAfter limit: Int = .max, interruption: Int32 = 0
  ) {
    let out = Recording(limit: limit)
    let err = Recording(limit: .max)
    let environment = Environment.fixed(environment)
    let tool = Tool(
      environment: environment, out: out.stream, err: err.stream,
      traits: { _, color, isPlain in
        StreamTraits(
          isTerminal: terminal, terminalColumns: terminal ? 80 : nil, color: color,
          isPlain: isPlain, environment: environment)
      },
      engine: .clips(clips), interruption: { interruption })
    status = tool.run(words).code
    self.out = out.text
    self.err = err.text
  }

  init(
    _ words: String..., clips: [String: Result<MediaFacts, MediaError>] = [:],
    environment: [String: String] = ["COLUMNS": "80", "LANG": "en_US.UTF-8"],
    terminal: Bool = false
  ) {
    self.init(
      words.map { ArgumentText($0) }, clips: clips, environment: environment, terminal: terminal)
  }
}

/// Captures the output; fails like a closed pipe after a number of writes.
private final class Recording: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let piecesLeft: Mutex<Int>

  init(limit: Int) { piecesLeft = Mutex(limit) }

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  var stream: OutputStream {
    OutputStream { (piece) throws(OutputStream.Failure) in
      let isOpen = self.piecesLeft.withLock { left in
        left -= 1
        return left >= 0
      }
      guard isOpen else { throw .closedPipe }
      self.bytes.withLock { $0 += piece }
    }
  }
}

extension EnginePort {
  static func clips(_ clips: [String: Result<MediaFacts, MediaError>]) -> EnginePort {
    EnginePort(
      probe: { (input, _, _) throws(MediaError) in
        let name = String(decoding: input.nameBytes, as: UTF8.self)
        let missing = MediaError(.inputMissing, "there is no such file", hint: "Check the name.")
        return try (clips[name] ?? .failure(missing)).get()
      },
      report: { nil })
  }
}
