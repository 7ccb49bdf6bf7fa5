import CommandLineKit

extension CommandTable {
  static let play = CommandSpec(
    name: "play",
    abstract: "Loop the selected part in the terminal.",
    discussion: [
      "Positions count from the first presented sample. Without a terminal, or with --events, "
        + "every event is printed as a line of JSON instead; --loops or --stop-after is then "
        + "required.",
      "Keys: Space plays and pauses, i and o set the ends at the playhead, ? shows them all.",
    ],
    arguments: [ArgumentSpec(name: "file", help: "A media file.", kind: .file)],
    options: OptionSpec.part + [
      OptionSpec(
        long: "simulate", help: "Show the timeline without pictures.")
    ] + OptionSpec.pictures + [
      OptionSpec(
        long: "speed", arity: .value("factor", .text),
        help: "Seconds of video per second, 1/1000 to 1000.", standard: "1"),
      OptionSpec(
        long: "loops", arity: .value("count", .text),
        help: "End after this many passes, or 'inf' for never."),
      OptionSpec(
        long: "stop-after", arity: .value("time", .text),
        help: "End after this much clock time."),
      OptionSpec(
        long: "events",
        help: "Print the events as JSON, one per line, even on a terminal."),
      OptionSpec(
        long: "clock", arity: .value("clock", .choices(PlayOptions.Clock.allCases.map(\.rawValue))),
        help: "virtual: take no real time and print the same bytes every time.",
        standard: "real"),
    ] + OptionSpec.screen,
    exitStatuses: [
      "0 Ended by a key, or after the requested loops or time.",
      "65 Not media, damaged, or without a presented length.",
      "66 Missing, or not a regular file.",
    ])

  static let edit = CommandSpec(
    name: "edit",
    abstract: "Choose the part to keep visually, in the terminal, and cut it.",
    discussion: [
      "Shows the frame at the playhead or the moving handle, thumbnails and audio levels over the "
        + "timeline, and whether the length is valid. It plays no audio.",
      "Keys: i and o set the ends at the playhead, Tab chooses a handle that arrows then move, "
        + "g types a time, O adds another file, Enter cuts, ? shows them all. The mouse drags handles.",
    ],
    arguments: [
      ArgumentSpec(name: "file", help: "A media file, or a saved project.", kind: .file)
    ],
    options: OptionSpec.part + [
      OptionSpec(
        long: "output", short: "o", arity: .value("file", .file),
        help: "Where the cut is written.", standard: "NAME-trimmed next to the input"),
      OptionSpec(long: "force", short: "f", help: "Overwrite without asking."),
      OptionSpec(
        long: "print", arity: .value("what", .choices(EditOptions.Choice.allCases.map(\.rawValue))),
        help: "Cut nothing: print the chosen range, the command that cuts it, or JSON."),
      OptionSpec(long: "simulate", help: "Show no pictures."),
      .projectSource, .noState,
    ] + OptionSpec.pictures + OptionSpec.settings + OptionSpec.screen,
    exitStatuses: [
      "0 Ended by a key; with --print, a range was chosen.",
      "1 With --print: nothing was chosen.",
      "65 Not media, damaged, or without a presented length.",
      "66 Missing, or not a regular file.", "69 There is no terminal.",
    ])

  static let tutorial = CommandSpec(
    name: "tutorial",
    abstract: "Show the tutorial of the trimming screen again, or report whether it was seen.",
    options: [
      OptionSpec(long: "reset", help: "Show it at the next 'trim play', as on the first run."),
      OptionSpec(long: "status", help: "Report whether the screen was visited before."),
      OptionSpec(long: "json", help: "Print a JSON document."),
    ],
    exitStatuses: ["74 The flag can be neither read nor changed."])
}
