import CommandLineKit
import EditLists

extension CommandTable {
  static let list = CommandSpec(
    name: "list",
    abstract: "Show a list of parts, or convert it into another format.",
    discussion: [
      "A list is what another program keeps or removes: an EDL, chapters, scenes, a transcript. Its "
        + "format is recognised by its content. Given the files that it is for, it is checked "
        + "against them, and what counts frames takes their rate.",
      "convert writes what --as or the extension of the output names. What that format cannot "
        + "hold is refused with its place, or left out and said.",
    ],
    arguments: [
      ArgumentSpec(
        name: "action", help: "show or convert.", kind: .choices(ListCommand.Action.names)),
      ArgumentSpec(name: "list", help: "The list; - for standard input.", kind: .file),
      ArgumentSpec(
        name: "file", help: "The media files that it is for.", isOptional: true, isRepeated: true,
        kind: .file),
    ],
    options: [
      OptionSpec(
        long: "output", short: "o", arity: .value("output", .file),
        help: "The list to write; - for standard output."),
      OptionSpec(
        long: "as",
        arity: .value(
          "format", .choices(EditListFormat.all.filter(\.isWritten).map(\.id))),
        help: "Its format.", standard: "what its extension names"),
      OptionSpec(
        long: "invert",
        help: "Write what is kept of the files in place of what is removed, or the reverse."),
      OptionSpec(
        long: "drop", arity: .value("what", .choices(ListCommand.Dropped.allCases.map(\.rawValue))),
        help: "Leave out names or markers that the format cannot hold. Repeatable."),
      OptionSpec.sources(
        "Check the list against the files that it names, in this folder or below it.",
        standard: "only files that are given"),
    ] + OptionSpec.lists + [
      OptionSpec(long: "force", short: "f", help: "Replace a file of that name."),
      OptionSpec(long: "json", help: "Print the list, or what was written, as JSON."),
      OptionSpec(
        long: "timeout", arity: .value("time", .text), help: "Give up on a file after this time."),
    ],
    exitStatuses: [
      "1 With show: parts are not in the files that they are of.",
      "65 Not a list, damaged, or not what the other format can hold.",
      "66 A file is missing.", "73 The output exists, is the list itself, or cannot be created.",
      "74 The output cannot be written.",
    ])
}
