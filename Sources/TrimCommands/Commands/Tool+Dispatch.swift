import CommandLineKit
import Isolation
import Trimming

extension Tool {
  /// Parses the command line, runs the command, and returns the exit status.
  func run(_ words: [ArgumentText]) -> ExitStatus {
    let parser = ArgumentParser(root: CommandTable.root)
    let status: ExitStatus
    do throws(UsageError) {
      if words.isEmpty, case let traits = traits(1, .never, false), traits.isTerminal {
        out.write(WelcomeText.text(CommandTable.root, columns: traits.columns))
        return finish(.success)
      }
      var tool = self
      tool.words = RemoteInputs.named(words)
      status = try tool.perform(parser.parse(tool.words))
    } catch {
      status = report(
        error, asJSON: Self.wantsJSON(words), isPiped: PipedCut.isMeant(by: words))
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
    let isolation = try Isolation(parsed, environment: environment, command: command)
    if seal != nil, RemoteInputs.commands.contains(command) {
      let inputs = try RemoteInputs(parsed, environment: environment, command: command)
      inputs.allow(in: isolation) { [interruption] in interruption() != 0 }
    }
    if let seal, command != "batch" {
      var sealed = self
      sealed.seal = nil
      let console = console(parsed)
      sealed.engine = seal(isolation) { text in
        if console.verbosity > 0 { console.err.write("trim: \(console.shownOnErr(text))\n") }
      }
      let status = try sealed.perform(command, given)
      if console.verbosity > 0, let cost = RemoteInputs.reported {
        console.err.write("trim: \(cost)\n")
      }
      return status
    }
    if ["check", "play", "edit", "studio"].contains(command),
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
      return try cut(parsed)
    case "join": return try join(parsed)
    case "list": return try ListCommand(parsed).run(in: self, console: console(parsed))
    case "retime": return try RetimeCommand(parsed).run(console: console(parsed))
    case "batch":
      return try BatchCommand(parsed, environment: environment, commands: CommandTable.root)
        .run(in: self, console: console(parsed))
    case "play": return try PlayCommand(parsed).run(in: self, console: console(parsed))
    case "edit": return try EditCommand(parsed).run(in: self, console: console(parsed))
    case "studio": return try StudioCommand(parsed).run(in: self, console: console(parsed))
    case "strip": return try StripCommand(parsed).run(in: self, console: console(parsed))
    case "wave": return try WaveCommand(parsed).run(in: self, console: console(parsed))
    case "find": return try FindCommand(parsed).run(in: self, console: console(parsed))
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

  private var help: HelpText {
    HelpText(root: CommandTable.root, columns: traits(1, .never, false).columns)
  }

  /// Usage errors are also reported as JSON when JSON output is requested.
  private static func wantsJSON(_ words: [ArgumentText]) -> Bool {
    words.prefix { $0 != "--" }.contains { ["--json", "--jsonl"].contains($0) }
  }

  private func report(_ error: UsageError, asJSON: Bool, isPiped: Bool) -> ExitStatus {
    let record = asJSON ? JSONWriter.write(UsageErrorRecord.value(error), .line) : []
    if isPiped { err.write(record) } else { out.write(record) }
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
}
