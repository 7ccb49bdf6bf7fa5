import CommandLineKit

extension CommandTable {
  static let retime = CommandSpec(
    name: "retime",
    abstract: "Move the times of subtitles, a transcript or chapters as a cut moved its file.",
    discussion: [
      "Reads SubRip, WebVTT, ASS and SSA, transcripts of whisper and WhisperX (JSON), and chapters. Each "
        + "time becomes the exact time in the output, rounded once to the format's unit; cues in what was "
        + "removed are dropped, and those at its edges clipped. All else stays as it is."
    ],
    arguments: [
      ArgumentSpec(name: "text", help: "Subtitles, transcript or chapters.", kind: .file)
    ],
    options: [
      OptionSpec(
        long: "by", arity: .value("plan", .file),
        help: "What 'trim cut --json' or 'trim join --json' printed, with -n or without."),
      OptionSpec(
        long: "source", arity: .value("number", .text),
        help: "Which file of a join it belongs to, counted from 1.", standard: "the only one"),
      OptionSpec(
        long: "output", short: "o", arity: .value("output", .file),
        help: "The file to write; - for standard output."),
      OptionSpec(long: "force", short: "f", help: "Replace a file of that name."),
      OptionSpec(long: "json", help: "Print what was written as JSON."),
    ],
    exitStatuses: [
      "65 Not such a text, damaged, or nothing of it is in the output.",
      "66 A file is missing.", "73 The output exists, is the text itself, or cannot be created.",
      "74 The output cannot be written.",
    ])
}
