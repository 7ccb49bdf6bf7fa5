extension CommandTable {
  static let play = CommandSpec(
    name: "play",
    abstract: "Play the selected part over and over, on a timeline in the terminal.",
    discussion: [
      "Positions count from the first presented sample. Without a terminal, or with --events, "
        + "every event is printed as a line of JSON instead; --loops or --stop-after is then "
        + "required.",
      "Keys: Space plays and pauses, i and o set the ends at the playhead, ? shows them all.",
    ],
    arguments: [ArgumentSpec(name: "file", help: "A media file.", kind: .file)],
    options: [
      OptionSpec(
        long: "from", arity: .value("time", .text),
        help: "Where the part starts: 60.5, 1:00.5, 1815f, -10, k12 or #3.",
        standard: "the start"),
      OptionSpec(
        long: "to", arity: .value("time", .text),
        help: "Where it ends; this instant is no longer shown.", standard: "the end"),
      OptionSpec(
        long: "for", arity: .value("length", .text), help: "How long it is, in place of --to."),
      OptionSpec(
        long: "simulate",
        help: "Show the timeline without pictures and sound, which is all there is for now."),
      OptionSpec(
        long: "speed", arity: .value("factor", .text),
        help: "Seconds of film in a second, 1/1000 to 1000.", standard: "1"),
      OptionSpec(
        long: "loops", arity: .value("count", .text),
        help: "End after this many passes, or 'inf' for never."),
      OptionSpec(
        long: "stop-after", arity: .value("time", .text),
        help: "End after this time of the clock."),
      OptionSpec(
        long: "events",
        help: "Print the events as JSON, one a line, even on a terminal."),
      OptionSpec(
        long: "clock", arity: .value("clock", .choices(PlayOptions.Clock.allCases.map(\.rawValue))),
        help: "virtual: take no real time and print the same bytes every time.",
        standard: "real"),
      OptionSpec(
        long: "first-run", help: "Be as on the very first run, and leave no trace of it."),
      OptionSpec(
        long: "max-length", arity: .value("time", .text),
        help: "The length of the part must be less.", standard: "60.5"),
    ],
    exitStatuses: [
      "0 Ended by a key, or after the loops or the time that were asked for.",
      "65 Not media, damaged, or without a presented length.",
      "66 Missing, or not a regular file.",
    ])

  static let tutorial = CommandSpec(
    name: "tutorial",
    abstract: "Show the tutorial of the trimming screen again, or tell whether it was seen.",
    options: [
      OptionSpec(long: "reset", help: "Show it at the next 'trim play', as on the first run."),
      OptionSpec(long: "status", help: "Tell whether the screen was visited before."),
    ],
    exitStatuses: ["74 The flag can be neither read nor changed."])
}
