/// A command as data: the parser, the help, the completions and the manual page all read it.
struct CommandSpec: Sendable {
  var name: String
  /// One sentence.
  var abstract: String
  var discussion: [String] = []
  var arguments: [ArgumentSpec] = []
  var options: [OptionSpec] = []
  var subcommands: [CommandSpec] = []
  /// A line that can be typed as it is, for those who begin.
  var example: String?
  /// What the exit statuses of this command mean, beyond the common ones.
  var exitStatuses: [String] = []

  func subcommand(_ name: String) -> CommandSpec? {
    subcommands.first { $0.name == name }
  }
}

/// What may stand in place of a value: for completions.
enum ValueKind: Sendable, Equatable {
  case file
  case text
  case choices([String])
}

/// A positional argument.
struct ArgumentSpec: Sendable {
  var name: String
  var help: String
  var isOptional = false
  var isRepeated = false
  var kind = ValueKind.text

  /// `<file> ...`, with brackets where it may be left out.
  var usage: String {
    let base = isRepeated ? "<\(name)> ..." : "<\(name)>"
    return isOptional ? "[\(base)]" : base
  }
}

/// A flag or an option with a value.
struct OptionSpec: Sendable {
  enum Arity: Sendable, Equatable {
    case flag
    /// A flag that counts how often it is given.
    case counted
    case value(String, ValueKind)
  }

  /// The long name without dashes, which is also the key of its value.
  var long: String
  var short: Character?
  /// Other long names with the same meaning.
  var aliases: [String] = []
  var arity = Arity.flag
  var help: String
  /// Shown in the help; the command applies it.
  var standard: String?
  var isHidden = false

  var longNames: [String] { [long] + aliases }

  var valueName: String? {
    if case .value(let name, _) = arity { name } else { nil }
  }

  /// The help with the values that may be given, where it does not name them all.
  var described: String {
    guard case .value(_, .choices(let choices)) = arity else { return help }
    let words = help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    if choices.allSatisfy(words.contains) { return help }
    return "\(help) (values: \(choices.joined(separator: ", ")))"
  }

  /// `--depth <depth>`, as messages name it.
  var display: String {
    valueName.map { "--\(long) <\($0)>" } ?? "--\(long)"
  }

  /// `-j, --jobs <count>`, as the help lists it.
  var label: String {
    let names = (short.map { ["-\($0)"] } ?? []) + longNames.map { "--\($0)" }
    let joined = names.joined(separator: ", ")
    return valueName.map { "\(joined) <\($0)>" } ?? joined
  }
}
