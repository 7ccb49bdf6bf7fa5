/// A command as data, used by the parser, the help, the completions and the manual page.
package struct CommandSpec: Sendable {
  package var name: String
  /// A one-sentence description.
  package var abstract: String
  package var discussion: [String] = []
  package var arguments: [ArgumentSpec] = []
  package var options: [OptionSpec] = []
  package var subcommands: [CommandSpec] = []
  /// The meaning of this command's exit statuses, in addition to the common ones.
  package var exitStatuses: [String] = []
  /// What to type here instead of an option of another program.
  ///
  /// Asked only after an error, since the table of all commands is made at each start.
  package var habit: @Sendable (_ option: String) -> String? = { _ in nil }
  /// The advice for one argument too many.
  package var extraArgument: String?
  /// The same for one that looks like a time.
  package var extraTime: String?
  /// A complete example line for beginners.
  package var example: String?

  package init(
    name: String,
    abstract: String,
    discussion: [String] = [],
    arguments: [ArgumentSpec] = [],
    options: [OptionSpec] = [],
    subcommands: [CommandSpec] = [],
    exitStatuses: [String] = []
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.subcommands = subcommands
    self.exitStatuses = exitStatuses
  }

  package func subcommand(_ name: String) -> CommandSpec? {
    subcommands.first { $0.name == name }
  }
}

/// The kind of value that an option or argument takes: for completions.
package enum ValueKind: Sendable, Equatable {
  case file
  case text
  /// The name of a command.
  case command
  case choices([String])
}

/// A positional argument.
package struct ArgumentSpec: Sendable {
  package var name: String
  package var help: String
  package var isOptional = false
  package var isRepeated = false
  package var kind = ValueKind.text

  package init(
    name: String,
    help: String,
    isOptional: Bool = false,
    isRepeated: Bool = false,
    kind: ValueKind = ValueKind.text
  ) {
    self.name = name
    self.help = help
    self.isOptional = isOptional
    self.isRepeated = isRepeated
    self.kind = kind
  }

  /// `<file> ...`, with brackets if it is optional.
  package var usage: String {
    let base = isRepeated ? "<\(name)> ..." : "<\(name)>"
    return isOptional ? "[\(base)]" : base
  }
}

/// A flag or an option with a value.
package struct OptionSpec: Sendable {
  package enum Arity: Sendable, Equatable {
    case flag
    /// A flag that counts how often it is given.
    case counted
    case value(String, ValueKind)
  }

  /// The long name without dashes, also used as the key of its value.
  package var long: String
  package var short: Character?
  /// Other long names with the same meaning.
  package var aliases: [String] = []
  package var arity = Arity.flag
  package var help: String
  /// Shown in the help; the command applies it.
  package var standard: String?
  package var isHidden = false

  package init(
    long: String,
    short: Character? = nil,
    aliases: [String] = [],
    arity: Arity = Arity.flag,
    help: String,
    standard: String? = nil,
    isHidden: Bool = false
  ) {
    self.long = long
    self.short = short
    self.aliases = aliases
    self.arity = arity
    self.help = help
    self.standard = standard
    self.isHidden = isHidden
  }

  package var longNames: [String] { [long] + aliases }

  package var valueName: String? {
    if case .value(let name, _) = arity { name } else { nil }
  }

  /// The help text, with the allowed values if it does not list them all.
  package var described: String {
    guard case .value(_, .choices(let choices)) = arity else { return help }
    let words = help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    if choices.allSatisfy(words.contains) { return help }
    return "\(help) (values: \(choices.joined(separator: ", ")))"
  }

  /// The form used in messages: `--depth <depth>`.
  package var display: String {
    valueName.map { "--\(long) <\($0)>" } ?? "--\(long)"
  }

  /// The form used in the help: `-j, --jobs <count>`.
  package var label: String {
    let names = (short.map { ["-\($0)"] } ?? []) + longNames.map { "--\($0)" }
    let joined = names.joined(separator: ", ")
    return valueName.map { "\(joined) <\($0)>" } ?? joined
  }
}
