import Foundation
import Glibc
import Support
import Testing

/// What restores a terminal's modes: its screen, its cursor, and all mouse reports.
private let undoing = [
  "\u{1B}[?1049l", "\u{1B}[?25h", "\u{1B}[?1006l", "\u{1B}[?1002l", "\u{1B}[?2004l",
]

/// `trim edit` itself on a terminal, with a file of the repository.
private struct Editor {
  let terminal: PseudoTerminal
  let child: ChildProcess
  /// How the terminal was set before.
  let settings: [UInt8]

  init(
    _ clip: String, _ arguments: [String] = [], home: TemporaryFolder,
    environment: [String: String] = [:], ownsTerminal: Bool = true, columns: Int32 = 100
  ) throws {
    try self.init(
      opening: SampleClips.path(clip), arguments, home: home, environment: environment,
      ownsTerminal: ownsTerminal, columns: columns)
  }

  init(
    opening path: String, _ arguments: [String] = [], home: TemporaryFolder,
    environment: [String: String] = [:], ownsTerminal: Bool = true, columns: Int32 = 100
  ) throws {
    var variables = [
      "XDG_STATE_HOME": home.root, "TERM": "xterm-256color", "LANG": "C.UTF-8",
    ]
    variables.merge(environment) { $1 }
    terminal = try PseudoTerminal(columns: columns, rows: 30)
    settings = try terminal.settings
    child = try ChildProcess(
      "trim", arguments: ["edit", path] + arguments, environment: variables,
      on: terminal, ownsTerminal: ownsTerminal)
  }

  static func visited(
    _ clip: String, _ arguments: [String] = [], ownsTerminal: Bool = true
  ) throws -> Editor {
    try Editor(
      clip, arguments, home: TemporaryFolder(), environment: ["TRIM_NO_TUTORIAL": "1"],
      ownsTerminal: ownsTerminal)
  }
}

@Suite(
  .enabled(if: Binary.path != nil, "trim is not built beside the tests"), .timeLimit(.minutes(1)))
struct `Given trim edit on a terminal` {
  @Test func `a file that is too long cannot be cut; its valid part can, and the result is right`()
    async throws
  {
    let home = try TemporaryFolder()
    let output = home.path(of: "out.mp4")
    let editor = try Editor(
      "over-limit.mp4", ["-o", output], home: home, environment: ["TRIM_NO_TUTORIAL": "1"])
    try await editor.terminal.output(until: "TOO LONG by 0.100 s")
    // Ctrl-L repaints everything: unchanged parts of a line are not painted again.
    try editor.terminal.type("\r\u{C}")
    try await editor.terminal.output(until: "Not cut: TOO LONG by 0.100 s")
    try editor.terminal.type("g2\rig1:00\ro\u{C}")
    try await editor.terminal.output(until: "OK: under 60.5 s, 2.500 s left")
    try editor.terminal.type("\r")
    try await editor.terminal.output(until: "Done: wrote ")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try await editor.terminal.remainingOutput().contains(", 58.000 s"))
    let facts = try facts(of: output)
    #expect(facts.durations.presented.value == "58")
    #expect(facts.durations.decoded.value == "58")
    #expect(facts.tracks.map(\.frames) == [580])
    #expect(facts.damage.isEmpty)
  }

  private func facts(of output: String) throws -> Facts {
    let tool = try #require(Binary.path)
    let probe = try Program.shell(
      #"exec "$1" probe --json --depth frames "$2""#, [Array(tool.utf8), Array(output.utf8)])
    #expect(probe.status == 0)
    return try Facts(probe.out)
  }

  /// What a probe reports about a file.
  private struct Facts: Decodable {
    var durations: Durations
    var tracks: [Track]
    var damage: [Damage]

    struct Durations: Decodable { var presented, decoded: Length }
    struct Length: Decodable { var value: String }
    struct Track: Decodable { var frames: Int? }
    struct Damage: Decodable {}

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }
  }

  @Test func `parts of two files are joined, kept, and saved; what is gone is said`()
    async throws
  {
    let home = try TemporaryFolder()
    try home.write(try SampleClips.bytes("b-frames.mp4"), to: "a.mp4")
    try home.write(try SampleClips.bytes("ntsc.mp4"), to: "b.mp4")
    func editor(_ name: String) throws -> Editor {
      try Editor(
        opening: home.path(of: name), home: home, environment: ["TRIM_NO_TUTORIAL": "1"],
        columns: 160)
    }
    var one = try editor("a.mp4")
    try await one.terminal.output(until: "Enter cut")
    try one.terminal.type("O\(home.path(of: "b.mp4"))#t=0,1\r")
    try await one.terminal.output(until: "Part 2 is of b.mp4")
    try one.terminal.type("\r")
    try await one.terminal.output(until: "Done: wrote ")
    try one.terminal.type("W")
    // Of a line, only what changed is painted.
    try await one.terminal.output(until: "a-trimmed.trimproject")
    try one.terminal.type("q")
    #expect(try await one.child.nextChange() == .exited(0))
    let facts = try facts(of: home.path(of: "a-trimmed.mp4"))
    #expect(facts.tracks.first?.frames == 130 && facts.damage.isEmpty)

    for name in ["a.mp4", "a-trimmed.trimproject"] {
      one = try editor(name)
      try await one.terminal.output(until: "together 5.000 s")
      try one.terminal.type("qq")
      #expect(try await one.child.nextChange() == .exited(0))
    }
    try home.write([1], to: "b.mp4")
    one = try editor("a.mp4")
    try await one.terminal.output(until: "b.mp4 cannot be opened to be cut.")
    try one.terminal.type("qq")
    #expect(try await one.child.nextChange() == .exited(0))
  }

  @Test func `the result is previewed before it is written, and the preview leaves nothing behind`()
    async throws
  {
    let home = try TemporaryFolder()
    let editor = try Editor(
      "open-gop.mp4", ["--from", "0.5", "--to", "2.1", "-o", home.path(of: "o.mp4")], home: home,
      environment: ["TRIM_NO_TUTORIAL": "1"])
    try await editor.terminal.output(until: "OK: under")
    try editor.terminal.type("v")
    try await editor.terminal.output(until: "The result, seam at 00:00.960")
    try editor.terminal.type("vq")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.root).isEmpty)
  }

  @Test func `frames of a variable rate are named without pictures, too`() async throws {
    let editor = try Editor.visited("vfr.mp4", ["--print", "range", "--picture", "none"])
    try await editor.terminal.output(until: "Enter choose")
    try editor.terminal.type("g3f\ri\r")
    #expect(try await editor.child.nextChange() == .exited(0))
    let output = try await editor.terminal.remainingOutput()
    #expect(output.contains("0.1.."), "\(output.suffix(200))")
  }

  @Test func `handles are dragged with the mouse`() async throws {
    let editor = try Editor.visited("under-limit.mp4", ["--print", "range"])
    try await editor.terminal.output(until: "Enter choose")
    // Row 25 of 30 is the timeline: SGR reports count from 1. Out is in its last column.
    try editor.terminal.type(
      "\u{1B}[<0;99;25M\u{1B}[<32;75;25M\u{1B}[<32;50;25M\u{1B}[<0;50;25m\u{C}")
    try await editor.terminal.output(until: "Out 00:29.892")
    try editor.terminal.type("\r")
    #expect(try await editor.child.nextChange() == .exited(0))
    let output = try await editor.terminal.remainingOutput()
    #expect(output.hasSuffix("0..14647/490\r\n"), "\(output)")
  }

  @Test func `for screen readers every answer is a sentence`() async throws {
    let home = try TemporaryFolder()
    let output = home.path(of: "o.mp4")
    let editor = try Editor("over-limit.mp4", ["--plain", "-o", output], home: home)
    var text = try await editor.terminal.output(until: "? shows all keys.")
    // The first key closes the tutorial, and only closes it.
    try editor.terminal.type("\r\r")
    text += try await editor.terminal.output(until: "Not cut: TOO LONG by 0.100 s")
    try editor.terminal.type("g2\ri")
    text += try await editor.terminal.output(until: "Length 58.6 seconds. OK: under 60.5 s")
    try editor.terminal.type("q")
    text += try await editor.terminal.output(until: "Quit without cutting? y/n.")
    try editor.terminal.type("n\r")
    text += try await editor.terminal.output(until: "Done: wrote \(output), 58.6 seconds.")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
    text += try await editor.terminal.remainingOutput()
    #expect(text.ranges(of: "Done: wrote ").count == 1, "\(text)")
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("Everything between In and Out is kept."))
    #expect(text.contains("Cutting: 0 %."))
  }

  @Test func `a burst of resizes ends with a screen of the last size`() async throws {
    let editor = try Editor.visited("under-limit.mp4")
    try await editor.terminal.output(until: "OK: under")
    var generator = SeededGenerator(seed: 37)
    for _ in 0..<200 {
      // Not as small as the size that is waited for.
      try editor.terminal.resize(
        columns: .random(in: 40...300, using: &generator),
        rows: .random(in: 8...100, using: &generator))
    }
    try editor.terminal.resize(columns: 1, rows: 1)
    try editor.terminal.resize(columns: 30, rows: 6)
    try await editor.terminal.output(until: "too small: 40x8")
    try editor.terminal.resize(columns: 100, rows: 30)
    try await editor.terminal.output(until: "OK: under")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(editor.terminal.isCooked)
  }

  @Test func `the very first run shows the tutorial, the second does not`() async throws {
    let home = try TemporaryFolder()
    let first = try Editor("under-limit.mp4", home: home)
    try await first.terminal.output(until: "Everything between In and Out is kept.")
    try first.terminal.type("qq")
    #expect(try await first.child.nextChange() == .exited(0))
    let second = try Editor("under-limit.mp4", home: home)
    try await second.terminal.output(until: "OK: under")
    try second.terminal.type("q")
    #expect(try await second.child.nextChange() == .exited(0))
    #expect(!(try await second.terminal.remainingOutput()).contains("Everything between"))
  }

  @Test func `parts, name and mode are there when the file is opened again, and can be forgotten`()
    async throws
  {
    let home = try TemporaryFolder()
    func edited(_ keys: String, until text: String) async throws -> String {
      let editor = try Editor(
        "under-limit.mp4", ["--print", "json"], home: home, environment: ["TRIM_NO_TUTORIAL": "1"])
      var screen = try await editor.terminal.output(until: "Enter choose")
      try editor.terminal.type(keys)
      if !keys.isEmpty { screen += try await editor.terminal.output(until: text) }
      try editor.terminal.type("qy")
      _ = try await editor.child.nextChange()
      return screen + (try await editor.terminal.remainingOutput())
    }
    let first = try await edited("g4\ri\u{C}", until: "00:04.0")
    #expect(!first.contains("Your earlier work is back"))
    let second = try await edited("", until: "")
    #expect(second.contains("Your earlier work is back"))
    #expect(second.contains("00:04.0"))
    _ = try await edited("F\u{C}", until: "is forgotten")
    #expect(!(try await edited("", until: "")).contains("Your earlier work is back"))
  }

  @Test func `frames are painted in color`() async throws {
    let editor = try Editor.visited("under-limit.mp4")
    try await editor.terminal.output(until: "48;5;")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
  }

  @Test func `a file with only audio has its levels painted, and no result preview`() async throws {
    let editor = try Editor.visited("sound.m4a")
    try await editor.terminal.output(until: "▂")
    try editor.terminal.type("v")
    try await editor.terminal.output(until: "No preview: pictures are not available here")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
  }

  @Test func `the choice for a script is on standard output after the screen is gone`()
    async throws
  {
    let editor = try Editor.visited("over-limit.mp4", ["--print", "range", "--to", "30"])
    try await editor.terminal.output(until: "Enter choose")
    try editor.terminal.type("\r")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try await editor.terminal.remainingOutput().hasSuffix("0..30\r\n"))
  }

  /// The editor with its standard output in a file, as in a script, and what it is to print.
  private func redirected(
    _ arguments: [String], into output: String, home: TemporaryFolder
  ) throws -> (terminal: PseudoTerminal, child: ChildProcess) {
    let tool = try #require(Binary.path)
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    let words = [output, tool, "edit", SampleClips.path("under-limit.mp4")] + arguments
    let child = try ChildProcess(
      "/bin/sh", arguments: ["-c", #"out="$1"; shift; exec "$@" > "$out""#, "sh"] + words,
      environment: [
        "XDG_STATE_HOME": home.root, "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "TRIM_NO_TUTORIAL": "1",
      ], on: terminal)
    return (terminal, child)
  }

  @Test func `with its output in a file the screen is on the terminal, in color`() async throws {
    let home = try TemporaryFolder()
    let editor = try redirected(
      ["--print", "range", "--to", "30"], into: home.path(of: "choice"), home: home)
    let painted = try await editor.terminal.output(until: "Enter choose")
    let pictured = painted.contains("48;5;") ? "" : try await editor.terminal.output(until: "48;5;")
    #expect((painted + pictured).contains("\u{1B}[?1049h"))
    try editor.terminal.type("\r")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try home.bytes(of: "choice") == Array("0..30\n".utf8))
  }

  @Test func `messages on the terminal do not keep the last one out of the file`() async throws {
    let home = try TemporaryFolder()
    let editor = try redirected(
      ["--plain", "-o", home.path(of: "o.mp4")], into: home.path(of: "said"), home: home)
    try await editor.terminal.output(until: "OK: under")
    try editor.terminal.type("\r")
    try await editor.terminal.output(until: "Done: wrote ")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
    let said = String(decoding: try home.bytes(of: "said"), as: UTF8.self)
    #expect(said.hasPrefix("Done: wrote \(home.path(of: "o.mp4")), "), "\(said)")
  }

  @Test func `pasted text is not taken for keys`() async throws {
    let editor = try Editor.visited("under-limit.mp4", ["--print", "range"])
    try await editor.terminal.output(until: "Enter choose")
    // It neither quits nor chooses; while a time is being typed, it is text.
    try editor.terminal.type("\u{1B}[200~q\rg9\r\u{1B}[201~")
    try editor.terminal.type("g\u{1B}[200~12\n\u{1B}[201~\u{C}")
    try await editor.terminal.output(until: "go to: 12   = ")
    try editor.terminal.type("\ro\r")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try await editor.terminal.remainingOutput().hasSuffix("0..12\r\n"))
  }

  @Test func `a script can tell that nothing was chosen`() async throws {
    let editor = try Editor.visited("under-limit.mp4", ["--print", "json"])
    try await editor.terminal.output(until: "Enter choose")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(1))
  }

  @Test func `a new size is painted at once`() async throws {
    let editor = try Editor.visited("under-limit.mp4")
    try await editor.terminal.output(until: "OK: under")
    try editor.terminal.resize(columns: 30, rows: 6)
    try await editor.terminal.output(until: "too small: 40x8")
    editor.child.send(SIGKILL)
    _ = try await editor.child.nextChange()
  }

  /// A way for the editor to end, and what its parent sees.
  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var keys = ""
    var signal: Int32?
    let change: ChildProcess.Change
  }

  static let endings = [
    Ending(testDescription: "Ctrl-C", keys: "\u{3}", change: .exited(130)),
    Ending(testDescription: "q", keys: "q", change: .exited(0)),
    Ending(testDescription: "SIGTERM", signal: SIGTERM, change: .exited(143)),
    Ending(testDescription: "SIGHUP", signal: SIGHUP, change: .exited(129)),
    Ending(testDescription: "a wild pointer", signal: SIGSEGV, change: .killed(SIGSEGV)),
    Ending(testDescription: "a failed assertion", signal: SIGABRT, change: .killed(SIGABRT)),
    Ending(testDescription: "a trap of Swift's", signal: SIGILL, change: .killed(SIGILL)),
    Ending(testDescription: "SIGQUIT", signal: SIGQUIT, change: .killed(SIGQUIT)),
  ]

  @Test(arguments: endings)
  func `however it ends, the terminal is as it was`(_ ending: Ending) async throws {
    let editor = try Editor.visited("under-limit.mp4")
    let painted = try await editor.terminal.output(until: "OK: under")
    #expect(undoing.allSatisfy { painted.contains($0.toggled) })
    if !ending.keys.isEmpty { try editor.terminal.type(ending.keys) }
    if let signal = ending.signal { editor.child.send(signal) }
    #expect(try await editor.child.nextChange() == ending.change)
    #expect(try editor.terminal.settings == editor.settings)
    let output = try await editor.terminal.remainingOutput()
    for mode in undoing {
      #expect(output.contains(mode))
      let rest = output.range(of: mode).map { output[$0.upperBound...] } ?? ""
      #expect(!rest.contains(mode.toggled))
    }
  }

  @Test(arguments: [endings[0], endings[2], endings[4]])
  func `however it ends, a cut under way leaves nothing behind`(_ ending: Ending) async throws {
    let home = try TemporaryFolder()
    let editor = try Editor(
      "under-limit.mp4", ["-o", home.path(of: "o.mp4")], home: home,
      environment: ["TRIM_NO_TUTORIAL": "1"])
    try await editor.terminal.output(until: "OK: under")
    // In one write, so that it arrives early in the cut.
    try editor.terminal.type("\r" + ending.keys)
    if let signal = ending.signal { editor.child.send(signal) }
    #expect(try await editor.child.nextChange() == ending.change)
    #expect(try editor.terminal.settings == editor.settings)
    // The whole cut, if it finished before the end, or nothing.
    let names = try FileManager.default.contentsOfDirectory(atPath: home.root)
    #expect(names.isEmpty || names == ["o.mp4"], "\(names)")
  }

  @Test func `stopped and continued, it paints its screen again`() async throws {
    let editor = try Editor.visited("under-limit.mp4", ownsTerminal: false)
    try await editor.terminal.output(until: "OK: under")
    try editor.terminal.type("\u{1A}")
    #expect(try await editor.child.nextChange() == .stopped)
    #expect(try editor.terminal.settings == editor.settings)
    let output = try await editor.terminal.remainingOutput()
    #expect(undoing.allSatisfy { output.contains($0) })
    editor.child.send(SIGCONT)
    let painted = try await editor.terminal.output(until: "OK: under")
    #expect(undoing.allSatisfy { painted.contains($0.toggled) })
    #expect(!editor.terminal.isCooked)
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try editor.terminal.settings == editor.settings)
  }
}

extension String {
  /// `ESC [ ? 25 h` from `ESC [ ? 25 l`, and the other way round.
  fileprivate var toggled: String { dropLast() + (hasSuffix("l") ? "h" : "l") }
}
