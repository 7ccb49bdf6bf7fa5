/// The help of a command in two columns, wrapped at the width of the terminal.
package struct HelpText {
  package let root: CommandSpec
  package let columns: Int

  package init(root: CommandSpec, columns: Int) {
    self.root = root
    self.columns = columns
  }

  /// The column where descriptions start.
  private static let labelColumn = 26

  /// - Parameter command: a subcommand's name; `nil` for the tool itself.
  package func text(for command: String?) -> String {
    guard let command, let spec = root.subcommand(command) else { return overview }
    var text = paragraph("OVERVIEW: " + spec.abstract)
    for part in spec.discussion { text += "\n" + paragraph(part) }
    text += "\n" + paragraph("USAGE: " + usage(of: spec), hanging: 2) + "\n"
    text += section("ARGUMENTS", spec.arguments.map { ("<\($0.name)>", $0.help) })
    text += section("OPTIONS", Self.rows(spec.options))
    text += section("GLOBAL OPTIONS", Self.rows(root.options))
    if !spec.exitStatuses.isEmpty {
      text += section(
        "EXIT STATUS",
        spec.exitStatuses.map { line in
          let parts = line.split(separator: " ", maxSplits: 1)
          return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        })
    }
    return String(text.dropLast())
  }

  /// One line, such as `trim probe [<options>] <file> ...`.
  package func usage(of spec: CommandSpec) -> String {
    let options = spec.options.isEmpty ? [] : ["[<options>]"]
    return ([root.name, spec.name] + options + spec.arguments.map(\.usage))
      .joined(separator: " ")
  }

  package var rootUsage: String { "\(root.name) <subcommand>" }

  private var overview: String {
    var text = paragraph("OVERVIEW: " + root.abstract)
    for part in root.discussion { text += "\n" + paragraph(part) }
    text += "\n" + paragraph("USAGE: " + rootUsage, hanging: 2) + "\n"
    text += section("OPTIONS", Self.rows(root.options))
    text += section("SUBCOMMANDS", root.subcommands.map { ($0.name, $0.abstract) })
    return text + paragraph("  See '\(root.name) help <subcommand>' for detailed help.")
  }

  private static func rows(_ options: [OptionSpec]) -> [(String, String)] {
    options.filter { !$0.isHidden }.map { option in
      (option.label, option.described + (option.standard.map { " (default: \($0))" } ?? ""))
    }
  }

  private func section(_ title: String, _ rows: [(label: String, help: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let lines = rows.map { row in entry(row.label, row.help) }
    return "\(title):\n" + lines.joined() + "\n"
  }

  private func entry(_ label: String, _ help: String) -> String {
    let labelled = "  " + label
    // If too narrow for two columns, the description goes below.
    let column = columns >= Self.labelColumn + 20 ? Self.labelColumn : 6
    let lines = TextWrap.lines(help, width: max(1, columns - column))
    let indent = String(repeating: " ", count: column)
    var text = labelled
    var remaining = lines[...]
    if labelled.count < column, let first = remaining.popFirst() {
      text = labelled.padded(toCells: column) + first
    }
    for line in remaining { text += "\n" + indent + line }
    return text + "\n"
  }

  private func paragraph(_ text: String, hanging: Int = 0) -> String {
    TextWrap.paragraph(text, width: columns, hanging: hanging)
  }
}
