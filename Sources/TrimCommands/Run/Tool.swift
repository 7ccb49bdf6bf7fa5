import CommandLineKit
import Trimming

/// One run of the tool: what it was told, and everything outside that it touches.
struct Tool: Sendable {
  var environment: Environment
  var out: OutputStream
  var err: OutputStream
  /// What a stream can show, once the flags are known: descriptor 1 or 2.
  var traits: @Sendable (Int32, ColorChoice, Bool) -> StreamTraits
  var engine: EnginePort
  var directories = UserDirectories.live
  /// The signal that asked the run to stop, or 0.
  var interruption: @Sendable () -> Int32 = { 0 }
  /// What the workers of a batch can do besides.
  var hooks = WorkerHooks.none
  /// Waits for work on the main actor.
  var live: LivePort = .waiting

  static let name = "trim"

  /// Reads the command line, does what it asks, and returns the exit status.
  func run(_ words: [ArgumentText]) -> ExitStatus {
    let parser = ArgumentParser(root: CommandTable.root)
    let status: ExitStatus
    do throws(UsageError) {
      if words.isEmpty, case let traits = traits(1, .never, false), traits.isTerminal {
        out.write(WelcomeText.text(CommandTable.root, columns: traits.columns))
        return finish(.success)
      }
      status = try perform(parser.parse(words))
    } catch {
      status = report(error, asJSON: Self.wantsJSON(words))
    }
    return finish(status)
  }

  private func perform(_ request: ArgumentParser.Request) throws(UsageError) -> ExitStatus {
    switch request {
    case .help(let command):
      out.write(help.text(for: command))
      return .success
    case .version:
      return VersionCommand().run(in: self)
    case .dumpHelp:
      out.write(JSONWriter.write(HelpDump.json(CommandTable.root), .indented))
      return .success
    case .completionScript(let shell):
      return try CompletionsCommand(shell: shell).run(in: self)
    case .run(let command, let parsed):
      return try perform(command, parsed)
    }
  }

  private func perform(
    _ command: String, _ given: ParsedArguments
  ) throws(UsageError) -> ExitStatus {
    var parsed = given
    if ["check", "play", "edit"].contains(command),
      let limit = environment[LengthLimit.variable], !limit.isEmpty
    {
      parsed.note(ArgumentText(limit), for: LengthLimit.variable)
    }
    switch command {
    case "probe": return try ProbeCommand(parsed).run(in: self, console: console(parsed))
    case "check": return try CheckCommand(parsed).run(in: self, console: console(parsed))
    case "cut":
      if let planned = try PlannedCutCommand(parsed) {
        return planned.run(in: self, console: console(parsed))
      }
      return try CutCommand(parsed).run(in: self, console: console(parsed))
    case "batch":
      return try BatchCommand(parsed, environment: environment)
        .run(in: self, console: console(parsed))
    case "play": return try PlayCommand(parsed).run(in: self, console: console(parsed))
    case "edit": return try EditCommand(parsed).run(in: self, console: console(parsed))
    case "strip": return try StripCommand(parsed).run(in: self, console: console(parsed))
    case "wave": return try WaveCommand(parsed).run(in: self, console: console(parsed))
    case "timeline": return try TimelineCommand(parsed).run(in: self, console: console(parsed))
    case "tutorial": return try TutorialCommand(parsed).run(in: self, console: console(parsed))
    case "doctor": return DoctorCommand(parsed).run(in: self, console: console(parsed))
    case "completions":
      return try CompletionsCommand(shell: parsed.positionals.first ?? "").run(in: self)
    case "man": return ManualCommand(command: parsed.positionals.first?.text).run(in: self)
    default:
      throw UsageError("The command '\(command)' is not in this build.")
    }
  }

  func console(_ parsed: ParsedArguments) -> Console {
    let stated = parsed.last("color")?.text.flatMap(ColorChoice.init(rawValue:)) ?? .auto
    let color = parsed.has("no-color") ? .never : stated
    let isPlain = parsed.has("plain") || environment["TRIM_ACCESSIBLE"] != nil
    return Console(
      out: out, err: err, outTraits: traits(1, color, isPlain),
      errTraits: traits(2, color, isPlain), isPlain: isPlain, isQuiet: parsed.has("quiet"),
      verbosity: parsed.count("verbose"),
      errTraitsNow: { [traits] in traits(2, color, isPlain) })
  }

  private var help: HelpText {
    HelpText(root: CommandTable.root, columns: traits(1, .never, false).columns)
  }

  /// Whoever reads JSON is told in JSON too that the command line is wrong.
  private static func wantsJSON(_ words: [ArgumentText]) -> Bool {
    words.prefix { $0 != "--" }.contains { ["--json", "--jsonl"].contains($0) }
  }

  private func report(_ error: UsageError, asJSON: Bool) -> ExitStatus {
    if asJSON { out.write(JSONWriter.write(UsageErrorRecord.value(error), .line)) }
    var text = "Error: \(error.message)\n"
    for line in error.diagram?.split(separator: "\n") ?? [] { text += "  \(line)\n" }
    let help = HelpText(root: CommandTable.root, columns: StreamTraits.usualColumns)
    if let command = CommandTable.root.subcommand(error.command) {
      text += "Usage: \(help.usage(of: command))\n"
      text += "  See 'trim help \(command.name)' for more information.\n"
    } else {
      text += "Usage: \(help.rootUsage)\n  See 'trim --help' for more information.\n"
    }
    err.write(text)
    return .usage
  }

  /// A result that did not reach its reader is no success.
  func finish(_ status: ExitStatus) -> ExitStatus {
    let signal = interruption()
    if signal != 0 { return .signal(signal) }
    switch out.failure {
    case nil: return status
    case .closedPipe: return .closedPipe
    case .failed(let number):
      err.write("trim: the result could not be written: \(SystemError.text(number))\n")
      return .ioError
    }
  }
}
