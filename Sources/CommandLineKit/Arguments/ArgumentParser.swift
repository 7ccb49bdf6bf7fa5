/// Parses a command line using the command table: a pure function; options cannot be abbreviated.
package struct ArgumentParser: Sendable {
  /// What the command line requests.
  package enum Request: Equatable, Sendable {
    /// Run a command, named by its path below `trim`.
    case run(command: String, ParsedArguments)
    /// Help about `trim` (`nil`) or a command.
    case help(command: String?)
    case version
    case dumpHelp
    case completionScript(shell: ArgumentText)
  }

  package var root: CommandSpec

  package init(root: CommandSpec) {
    self.root = root
  }

  /// - Parameter words: the command line without the program's name.
  package func parse(_ words: [ArgumentText]) throws(UsageError) -> Request {
    var reader = WordReader(words: words, options: root.options, command: "")
    var parsed = ParsedArguments()
    while let word = reader.next() {
      switch word {
      case .positional(let name):
        return try parseCommand(named: name, rest: reader.rest, globals: parsed)
      case .option:
        try take(word, of: root, into: &parsed, reader: &reader)
        if let request = Self.rootRequest(parsed) { return request }
      }
    }
    return .help(command: nil)
  }

  private func parseCommand(
    named name: ArgumentText, rest: [ArgumentText], globals: ParsedArguments
  ) throws(UsageError) -> Request {
    guard let text = name.text, let command = root.subcommand(text) else {
      throw unknownCommand(name)
    }
    var parsed = globals
    var reader = WordReader(words: rest, options: command.options + root.options, command: text)
    while let word = reader.next() {
      switch word {
      case .positional(let value): parsed.positionals.append(value)
      case .option: try take(word, of: command, into: &parsed, reader: &reader)
      }
      if let request = Self.rootRequest(parsed) {
        return request == .help(command: nil) ? .help(command: text) : request
      }
    }
    try checkPositionals(parsed.positionals, of: command)
    let topic = parsed.positionals.first
    if let topic, command.arguments.first?.kind == .command,
      topic.text.flatMap(root.subcommand) == nil
    {
      throw unknownCommand(topic)
    }
    return text == "help" ? .help(command: topic?.text) : .run(command: text, parsed)
  }

  private static func rootRequest(_ parsed: ParsedArguments) -> Request? {
    if parsed.has("help") { return .help(command: nil) }
    if parsed.has("version") { return .version }
    if parsed.has("experimental-dump-help") { return .dumpHelp }
    return parsed.last("generate-completion-script").map { .completionScript(shell: $0) }
  }

  private func take(
    _ word: WordReader.Word, of command: CommandSpec, into parsed: inout ParsedArguments,
    reader: inout WordReader
  ) throws(UsageError) {
    guard case .option(let name, let attached) = word else { return }
    let commandName = reader.command
    guard let option = reader.option(named: name) else {
      throw unknownOption(name, typed: reader.typed, of: command, reader)
    }
    guard case .value(_, let kind) = option.arity else {
      if let attached {
        throw UsageError(
          "The option '\(name.display)' takes no value, but '\(attached.shown)' was given.",
          command: commandName)
      }
      parsed.note(flag: option.long)
      return
    }
    guard let value = attached ?? reader.takeValue() else {
      throw UsageError("Missing value for '\(option.display)'.", command: commandName)
    }
    if case .choices(let choices) = kind, !choices.contains(value.text ?? "") {
      throw Self.invalid(value, for: option, choices: choices, command: commandName)
    }
    parsed.note(value, for: option.long)
  }

  private func checkPositionals(
    _ positionals: [ArgumentText], of command: CommandSpec
  ) throws(UsageError) {
    let required = command.arguments.filter { !$0.isOptional }
    if positionals.count < required.count {
      let missing = required[positionals.count]
      throw UsageError("Missing expected argument '\(missing.usage)'.", command: command.name)
    }
    let isOpen = command.arguments.contains { $0.isRepeated }
    if !isOpen, positionals.count > command.arguments.count {
      let extra = positionals[command.arguments.count]
      let advice = (Self.isTime(extra) ? command.extraTime : nil) ?? command.extraArgument
      throw UsageError(
        "Unexpected argument '\(extra.shown)'." + (advice.map { " " + $0 } ?? ""),
        command: command.name)
    }
  }

  /// Whether an argument looks like `90`, `1:30` or `0:05.5`, and not like the name of a file.
  private static func isTime(_ word: ArgumentText) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return word.bytes.first.map(digits.contains) == true
      && word.bytes.allSatisfy { digits.contains($0) || $0 == 0x2E || $0 == 0x3A }
  }

  private func unknownCommand(_ name: ArgumentText) -> UsageError {
    let names = root.subcommands.map(\.name)
    if let text = name.text, let near = EditDistance.nearest(to: text, among: names) {
      return UsageError("Unknown command '\(name.shown)'. Did you mean '\(near)'?")
    }
    if name.bytes.contains(UInt8(ascii: ".")) || name.bytes.contains(UInt8(ascii: "/")) {
      return UsageError(
        "'\(name.shown)' is not a command. To trim it: trim edit \(name.shown), or "
          + "trim cut \(name.shown) --from 5 --to 8. To see what it contains: trim probe \(name.shown)"
      )
    }
    return UsageError("Unknown command '\(name.shown)'.")
  }

  private func unknownOption(
    _ name: WordReader.Name, typed: ArgumentText?, of spec: CommandSpec, _ reader: WordReader
  ) -> UsageError {
    let command = reader.command
    let word = typed?.text?.prefix { $0 != "=" }
    if let word, let advice = spec.habit(String(word)) {
      return UsageError("Unknown option '\(word)'. \(advice)", command: command)
    }
    var message = "Unknown option '\(name.display)'."
    let visible = reader.options.filter { !$0.isHidden }
    if case .long(let text) = name,
      let near = EditDistance.nearest(to: text, among: visible.flatMap(\.longNames))
    {
      message += " Did you mean '--\(near)'?"
    } else if command.isEmpty, case .long(let text) = name,
      let owner = root.subcommands.first(where: { $0.options.contains { $0.long == text } })
    {
      message += " It belongs after a command: trim \(owner.name) --\(text) ..."
    }
    return UsageError(message, command: command)
  }

  private static func invalid(
    _ value: ArgumentText, for option: OptionSpec, choices: [String], command: String
  ) -> UsageError {
    var message = "The value '\(value.shown)' is invalid for '\(option.display)'."
    if let text = value.text, let near = EditDistance.nearest(to: text, among: choices) {
      message += " Did you mean '\(near)'?"
    }
    let list = choices.map { "'\($0)'" }.joined(separator: ", ")
    return UsageError(message + " Please provide one of: \(list).", command: command)
  }
}
