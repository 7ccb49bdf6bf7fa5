import CommandLineKit

/// The manual page in mdoc, made of the table of commands.
struct ManualPage {
  let root: CommandSpec

  var text: String {
    var lines = [
      ".Dd November 21, 2026", ".Dt TRIM 1", ".Os", ".Sh NAME", ".Nm \(root.name)",
      ".Nd \(Self.escaped(Self.lowered(root.abstract)))", ".Sh SYNOPSIS",
    ]
    for command in root.subcommands {
      lines += [".Nm", ".Cm \(command.name)"]
      if !command.visibleOptions.isEmpty { lines.append(".Op Ar options") }
      lines += command.arguments.map { argument in
        let dots = argument.isRepeated ? " ..." : ""
        return argument.isOptional
          ? ".Op Ar \(argument.name)\(dots)" : ".Ar \(argument.name)\(dots)"
      }
    }
    lines += [".Sh DESCRIPTION", Self.escaped(root.abstract)]
    for command in root.subcommands { lines += section(command) }
    lines += [".Ss Options of every command"] + list(root.visibleOptions)
    lines += [
      ".Sh EXIT STATUS", ".Bl -tag -width Ds", ".It 0", "All done.", ".It 1",
      "A check says no, or one of several files failed.", ".It 64",
      "The command line is not understood.", ".It 65", "Not media, damaged, or refused by a limit.",
      ".It 66", "Missing, or not a regular file.", ".It 69",
      "A needed library, codec or terminal feature is absent.", ".It 70",
      "A fault of trim itself.", ".It 74", "Reading or writing failed.", ".It 75",
      "A time-out: the same call may succeed later.", ".It 77", "No permission.", ".It 130",
      "Interrupted.", ".El",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ command: CommandSpec) -> [String] {
    var lines = [".Ss trim \(command.name)", Self.escaped(command.abstract)]
    for part in command.discussion { lines += [".Pp", Self.escaped(part)] }
    if !command.visibleOptions.isEmpty { lines += list(command.visibleOptions) }
    if !command.exitStatuses.isEmpty {
      lines += [".Pp", "Exit status:", ".Bl -tag -width Ds"]
      for status in command.exitStatuses {
        let parts = status.split(separator: " ", maxSplits: 1).map(String.init)
        lines += [".It \(parts[0])", Self.escaped(parts.last ?? "")]
      }
      lines.append(".El")
    }
    return lines
  }

  private func list(_ options: [OptionSpec]) -> [String] {
    var lines = [".Bl -tag -width Ds"]
    for option in options {
      let names = option.spellings.map { "Fl \($0.dropFirst().replacingDash)" }
      let value = option.valueName.map { " Ar \($0)" } ?? ""
      lines.append(".It " + names.joined(separator: " , ") + value)
      lines.append(Self.escaped(option.help))
      if let standard = option.standard {
        lines.append("The default is \(Self.escaped(standard)).")
      }
    }
    return lines + [".El"]
  }

  /// A one-line description neither starts with a capital nor ends with a full stop.
  private static func lowered(_ sentence: String) -> String {
    let body = sentence.last == "." ? sentence.dropLast() : sentence[...]
    return body.prefix(1).lowercased() + body.dropFirst()
  }

  /// No word of the text is taken for a request or an escape.
  private static func escaped(_ text: String) -> String {
    let body = text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      default: result.append(character)
      }
    }
    var sentences = [""]
    for word in body.split(separator: " ") {
      sentences[sentences.count - 1] += (sentences.last == "" ? "" : " ") + word
      if word.hasSuffix(".") { sentences.append("") }
    }
    let lines = sentences.filter { !$0.isEmpty }.flatMap { TextWrap.lines($0, width: 78) }
    return lines.map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }.joined(separator: "\n")
  }
}

extension Substring {
  /// mdoc writes the second dash of a long option itself as `\-`.
  fileprivate var replacingDash: String {
    self.first == "-" ? "\\-" + self.dropFirst() : String(self)
  }
}
