import Glibc
import Isolation
import Support
import Testing

@testable import TrimCommands

/// A command whose FFmpeg runs in a process that a test inspects.
struct SealedCommand: Sendable, CustomTestStringConvertible {
  var words: [String]
  /// The operation requested of the process when the test acts.
  var operation: String
  var sendsInput = false

  var testDescription: String { "trim \(words[0]), \(operation)" }

  static let clip = SampleClips.path("chapters.mkv")
  static let picture = SampleClips.path("b-frames.mp4")

  /// Each command that uses FFmpeg on a file, at each operation that it requests.
  static let all: [SealedCommand] = [
    SealedCommand(words: ["probe", clip], operation: "report"),
    SealedCommand(words: ["probe", "-"], operation: "report", sendsInput: true),
    SealedCommand(words: ["probe", SealedSample.all[0].path], operation: "report"),
    SealedCommand(words: ["check", clip], operation: "report"),
    SealedCommand(words: cut, operation: "open"),
    SealedCommand(words: cut, operation: "cut"),
    SealedCommand(words: ["strip", picture, "-o", "made.png"], operation: "draw"),
    SealedCommand(words: ["wave", picture, "-o", "made.png"], operation: "draw"),
    SealedCommand(words: ["find", picture], operation: "find"),
    SealedCommand(words: ["timeline", picture, "-o", "made.svg"], operation: "draw"),
    SealedCommand(words: ["play", clip, "--events", "--stop-after", "1"], operation: "probe"),
  ]

  /// With required isolation, everything is planned in the process; else it is only asked for what only it knows.
  static let isolated = all + [SealedCommand(words: cut, operation: "plan")]
  static let usual = all + [SealedCommand(words: cut, operation: "learn")]

  private static let cut = ["cut", picture, "--from", "1.1", "--to", "2.3", "-o", "made.mp4"]

  /// Runs it as the harness does, in a separate folder.
  func run(
    _ environment: [String: String], in folder: ScratchFolder, by program: [String]
  ) async throws -> ProgramRun {
    try await ProgramRun(
      (program + words).map { Array($0.utf8) },
      input: sendsInput ? .pieces(try fileBytes(Self.clip), of: 65_536) : .nothing,
      environment: environment, folder: folder.path)
  }
}

@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(
    if: SandboxLayers.available.isSuperset(of: .essential), "this system cannot seal a process"),
  .timeLimit(.minutes(2)))
struct `Given code running in an exploited command` {
  private let folder: ScratchFolder
  private let home: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    home = try ScratchFolder()
    chmod(try folder.write(Array("content".utf8), to: "victim"), 0o666)
    chmod(folder.path, 0o777)
    chmod(home.path, 0o777)
  }

  private func environment(_ command: SealedCommand) -> [String: String] {
    [
      "TRIM_ATTACK_FOLDER": folder.path, "TRIM_ENGINE_ATTACK": command.operation,
      "TRIM_ISOLATION": "required",
    ]
  }

  private static func outcomes(_ run: ProgramRun) -> [Substring: Substring] {
    let pairs = run.errText.split(whereSeparator: \.isWhitespace).compactMap {
      word -> (Substring, Substring)? in
      let parts = word.split(separator: "=")
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private func expectAllRefused(_ run: ProgramRun) throws {
    let outcomes = Self.outcomes(run)
    #expect(outcomes.count >= 100, "the attack program ran to its end: \(run.errText.prefix(500))")
    let worked = outcomes.filter { !["EPERM", "EACCES"].contains($0.value) }
    #expect(worked.isEmpty, "not refused: \(worked)")
    #expect(run.status == 70)
    #expect(folder.names == [Array("victim".utf8)])
    #expect(try fileBytes(folder.path(of: "victim")) == Array("content".utf8))
    #expect(home.names.isEmpty, "nothing was written")
  }

  @Test(arguments: SealedCommand.isolated)
  func `then it can access nothing but its own files and memory`(_ command: SealedCommand)
    async throws
  {
    let harness = try #require(BatchRun.harness)
    try expectAllRefused(
      try await command.run(environment(command), in: home, by: [harness]))
  }

  @Test(.enabled(if: getuid() == 0, "only root can become another user"))
  func `then the same is true for an unprivileged user`() async throws {
    let harness = try #require(BatchRun.harness)
    // The build folder and the samples may not be readable by others.
    let tools = try ScratchFolder()
    chmod(tools.path, 0o755)
    let copy = tools.path(of: "harness")
    let clip = tools.path(of: "clip.mkv")
    for (source, target) in [(harness, copy), (SealedCommand.clip, clip)] {
      let copying = try await ProgramRun(
        ["install", "-m", "755", source, target].map { Array($0.utf8) })
      #expect(copying.status == 0, "\(copying.errText)")
    }
    for command in [
      SealedCommand(words: ["probe", clip], operation: "report"),
      SealedCommand(
        words: ["cut", clip, "--from", "1", "--to", "2", "-o", "made.mkv"], operation: "cut"),
      SealedCommand(words: ["wave", clip, "-o", "made.png"], operation: "draw"),
    ] {
      try expectAllRefused(
        try await command.run(
          environment(command), in: home,
          by: [
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", copy,
          ]))
    }
  }

  @Test(arguments: ["edit", "play"])
  func `then the screen reports that it could access nothing`(_ name: String) async throws {
    // Everything on one page.
    let terminal = try PseudoTerminal(columns: 250, rows: 60)
    let command = SealedCommand(words: [name, SealedCommand.clip], operation: "probe")
    let tool = try ChildProcess(
      "BatchHarness", arguments: command.words,
      environment: environment(command).merging([
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "TRIM_NO_TUTORIAL": "1",
        "XDG_STATE_HOME": home.path,
      ]) { own, _ in own }, on: terminal)
    defer { tool.send(SIGKILL) }
    // The last attack that it tries.
    var shown = try await terminal.output(until: "ask_terminal=")
    shown += try await terminal.output(until: "\u{1B}")
    let outcomes = shown.matches(of: /[a-z_0-9]{3,}=[A-Z0-9]+/).map { String($0.output) }
    #expect(Set(outcomes).count >= 100, "\(shown.suffix(500))")
    let worked = outcomes.filter { !$0.hasSuffix("=EPERM") && !$0.hasSuffix("=EACCES") }
    #expect(worked.isEmpty, "not refused: \(worked)")
    #expect(folder.names == [Array("victim".utf8)])
    tool.send(SIGKILL)
    #expect(try await tool.nextChange() == .killed(SIGKILL))
  }

  @Test(arguments: SealedCommand.usual)
  func `then its crash is one message and an exit status`(_ command: SealedCommand) async throws {
    let harness = try #require(BatchRun.harness)
    let run = try await command.run(
      ["TRIM_ENGINE_CRASH": command.operation], in: home, by: [harness])
    #expect(run.status == 65, "\(run.errText)")
    #expect(run.errText.contains("the process that read it was killed by signal 11"))
    #expect(home.names.isEmpty)
  }

  @Test(arguments: SealedCommand.usual)
  func `then exhausted memory is reported as such`(_ command: SealedCommand) async throws {
    let harness = try #require(BatchRun.harness)
    let run = try await command.run(
      ["TRIM_ENGINE_EXHAUST": command.operation], in: home, by: [harness])
    #expect(run.status == 65, "\(run.errText)")
    #expect(run.errText.contains("it needs more memory than the limits allow"))
    #expect(home.names.isEmpty)
  }

  @Test(arguments: [("strip", "png"), ("wave", "png"), ("timeline", "svg")])
  func `then a drawing that exceeds its timeout says so`(
    _ name: String, _ kind: String
  ) async throws {
    let harness = try #require(BatchRun.harness)
    let command = SealedCommand(
      words: [name, SealedCommand.picture, "-o", "made.\(kind)", "--timeout", "0.000001"],
      operation: "draw")
    let run = try await command.run([:], in: home, by: [harness])
    #expect(run.status == 75, "\(run.errText)")
    #expect(home.names.isEmpty)
  }

  @Test func `then one that never returns is ended`() async throws {
    let harness = try #require(BatchRun.harness)
    let command = SealedCommand(
      words: ["probe", SealedCommand.clip, "--timeout", "0.5"], operation: "report")
    let run = try await command.run(["TRIM_ENGINE_SPIN": "report"], in: home, by: [harness])
    #expect(run.status == 75, "\(run.errText)")
  }
}

/// Commands whose process waits inside an operation, to be inspected from outside.
@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(
    if: SandboxLayers.available.isSuperset(of: .essential), "this system cannot seal a process"),
  .timeLimit(.minutes(2)))
struct `Given a command while FFmpeg works for it` {
  private static let screens: [SealedCommand] = [
    SealedCommand(words: ["play", SealedCommand.picture], operation: "pictures"),
    SealedCommand(words: ["edit", SealedCommand.picture], operation: "pictures"),
    SealedCommand(words: ["edit", SealedCommand.clip], operation: "probe"),
  ]

  @Test(arguments: SealedCommand.all.filter { !$0.sendsInput } + screens)
  func `then the process it runs in is sealed, and the command's own has no FFmpeg`(
    _ command: SealedCommand
  ) async throws {
    let home = try ScratchFolder()
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    let words = command.words.map { $0.hasPrefix("made.") ? home.path(of: $0) : $0 }
    let tool = try ChildProcess(
      "BatchHarness", arguments: words,
      environment: [
        "TRIM_ENGINE_HOLD": command.operation, "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "TRIM_NO_TUTORIAL": "1", "XDG_STATE_HOME": home.path,
      ], on: terminal)
    defer { tool.send(SIGKILL) }
    let child = try await ProcessTable.child(of: tool.id, named: "__engine")
    let status = try ProcessTable.status(of: child)
    #expect(status["Seccomp"] == "2")
    #expect(status["NoNewPrivs"] == "1")
    #expect(status["CapEff"] == "0000000000000000")
    #expect(try ProcessTable.maps(of: child).contains("libavformat"))
    #expect(!(try ProcessTable.maps(of: tool.id).contains("libav")))
    tool.send(SIGKILL)
    #expect(try await tool.nextChange() == .killed(SIGKILL))
    try await ProcessTable.end(of: child)
  }
}

/// What the system reports about other processes.
enum ProcessTable {
  private static func file(_ id: Int32, _ name: String) throws -> String {
    String(decoding: try fileBytes("/proc/\(id)/\(name)"), as: UTF8.self)
  }

  static func maps(of id: Int32) throws -> String { try file(id, "maps") }

  static func status(of id: Int32) throws -> [String: String] {
    var found: [String: String] = [:]
    for line in try file(id, "status").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      found[String(parts[0])] = parts[1].split(whereSeparator: \.isWhitespace).joined(
        separator: " ")
    }
    return found
  }

  /// The child that was started with a word, once it has sealed itself.
  static func child(of parent: Int32, named word: String) async throws -> Int32 {
    try await eventually("a sealed child of \(parent)") {
      for id in processes() {
        guard let status = try? status(of: id), status["PPid"] == "\(parent)",
          status["Seccomp"] == "2", let words = try? file(id, "cmdline"), words.contains(word)
        else { continue }
        return id
      }
      return nil
    }
  }

  static func end(of id: Int32) async throws {
    _ = try await eventually("the end of process \(id)") {
      guard let status = try? status(of: id) else { return true }
      return status["State"]?.hasPrefix("Z") == true ? true : nil
    }
  }

  private static func processes() -> [Int32] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if let id = Int32(String(decoding: name, as: UTF8.self)) { found.append(id) }
    }
    return found
  }

  /// Asks until there is an answer.
  private static func eventually<Value: Sendable>(
    _ what: String, _ answer: @escaping @Sendable () -> Value?
  ) async throws -> Value {
    try await BlockingWork.run {
      let end = ContinuousClock.now + .seconds(20)
      while ContinuousClock.now < end {
        if let value = answer() { return value }
        usleep(5000)
      }
      throw DidNotCome(what, within: .seconds(20))
    }
  }
}
