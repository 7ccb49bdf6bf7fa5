import CommandLineKit

/// The manual pages in mdoc, generated from the command table: trim(1) for all commands, and pages such as
/// trim-cut(1) for one command.
struct ManualPage {
  let root: CommandSpec

  /// When the table last changed for readers.
  private static let date = "November 22, 2026"

  var text: String {
    var lines = head("\(root.name)", root.abstract) + [".Sh SYNOPSIS"]
    for command in root.subcommands { lines += synopsis(command) }
    lines += [".Sh DESCRIPTION", Self.escaped(root.abstract)]
    for command in root.subcommands {
      lines += [".Ss trim \(command.name)"] + section(command)
      lines += exitStatuses(command, after: [".Pp", "Exit status:"])
    }
    lines += [".Ss Options of every command"] + list(root.visibleOptions)
    lines += [".Sh EXIT STATUS"] + Self.commonStatuses
    lines += [".Sh SEE ALSO"] + references(root.subcommands.map { "\(root.name)-\($0.name)" })
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of one command.
  func text(of command: CommandSpec) -> String {
    var lines = head("\(root.name)-\(command.name)", command.abstract)
    lines += [".Sh SYNOPSIS"] + synopsis(command) + [".Sh DESCRIPTION"] + section(command)
    lines += [".Ss Options of every command"] + list(root.visibleOptions)
    lines += exitStatuses(command, after: [".Sh EXIT STATUS"])
    if command.exitStatuses.isEmpty { lines += [".Sh EXIT STATUS"] + Self.commonStatuses }
    lines += [".Sh SEE ALSO"] + references([root.name])
    return lines.joined(separator: "\n") + "\n"
  }

  private func head(_ name: String, _ abstract: String) -> [String] {
    [
      ".Dd \(Self.date)", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)",
      ".Nd \(Self.escaped(Self.lowered(abstract)))",
    ]
  }

  private func synopsis(_ command: CommandSpec) -> [String] {
    var lines = [".Nm \(root.name)", ".Cm \(command.name)"]
    if !command.visibleOptions.isEmpty { lines.append(".Op Ar options") }
    return lines
      + command.arguments.map { argument in
        let dots = argument.isRepeated ? " ..." : ""
        return argument.isOptional
          ? ".Op Ar \(argument.name)\(dots)" : ".Ar \(argument.name)\(dots)"
      }
  }

  private func section(_ command: CommandSpec) -> [String] {
    var lines = [Self.escaped(command.abstract)]
    for part in command.discussion { lines += [".Pp", Self.escaped(part)] }
    if !command.visibleOptions.isEmpty { lines += list(command.visibleOptions) }
    return lines
  }

  private func exitStatuses(_ command: CommandSpec, after title: [String]) -> [String] {
    guard !command.exitStatuses.isEmpty else { return [] }
    var lines = title + [".Bl -tag -width Ds"]
    for status in command.exitStatuses {
      let parts = status.split(separator: " ", maxSplits: 1).map(String.init)
      lines += [".It \(parts[0])", Self.escaped(parts.last ?? "")]
    }
    return lines + [".El"]
  }

  private func references(_ names: [String]) -> [String] {
    let sorted = names.sorted()
    return sorted.map { ".Xr \($0) 1" + ($0 == sorted.last ? "" : " ,") }
  }

  private static let commonStatuses = [
    ".Bl -tag -width Ds", ".It 0", "Success.", ".It 1",
    "A check failed, or one of several files failed.", ".It 64",
    "The command line is invalid.", ".It 65", "Not media, damaged, or refused by a limit.",
    ".It 66", "Missing, or not a regular file.", ".It 69",
    "A needed library, codec or terminal feature is absent.", ".It 70",
    "A bug in trim itself.", ".It 74", "Reading or writing failed.", ".It 75",
    "A timeout: the same call may succeed later.", ".It 77", "No permission.", ".It 130",
    "Interrupted.", ".El",
  ]

  private func list(_ options: [OptionSpec]) -> [String] {
    var lines = [".Bl -tag -width Ds"]
    for option in options {
      let names = option.spellings.map { "Fl \($0.dropFirst().replacingDash)" }
      let value = option.valueName.map { " Ar \($0)" } ?? ""
      lines.append(".It " + names.joined(separator: " , ") + value)
      lines.append(Self.escaped(option.described))
      if let standard = option.standard {
        lines.append("The default is \(Self.escaped(standard)).")
      }
    }
    return lines + [".El"]
  }

  /// A one-line description neither starts with a capital nor ends with a period.
  private static func lowered(_ sentence: String) -> String {
    let body = sentence.last == "." ? sentence.dropLast() : sentence[...]
    return body.prefix(1).lowercased() + body.dropFirst()
  }

  /// Escapes the text so that no word is taken as a macro or an escape.
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
