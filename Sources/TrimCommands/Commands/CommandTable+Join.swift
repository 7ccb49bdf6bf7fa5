import CommandLineKit
import MediaEngine
import Trimming

extension CommandTable {
  static let join = CommandSpec(
    name: "join",
    abstract: "Put several files, or parts of them, into one, re-encoding almost nothing.",
    discussion: [
      "The files follow each other in the order given; a part is written after the name: b.mp4#t=5,10. "
        + "Their tracks are matched by number and must be coded alike; a file that cannot follow the first "
        + "is refused, with the reason. Tags and covers are those of the first; chapters of all are kept."
    ],
    arguments: [
      ArgumentSpec(name: "files", help: "Media files.", isRepeated: true, kind: .file)
    ],
    options: [
      OptionSpec(
        long: "output", short: "o", arity: .value("output", .file),
        help: "The file to write: .mp4, .mov, .mkv or .ts."),
      OptionSpec(
        long: "camera-files",
        help:
          "The argument is a folder: join the files of one recording in it, in order, by the names "
          + "that GoPro, DJI and dash cameras give."),
      OptionSpec(
        long: "chapters-from-names",
        help: "Make each file a chapter with its name, in place of the files' own chapters."),
    ] + OptionSpec.manner + [
      OptionSpec(
        long: "audio", arity: .value("how", .choices(SoundMode.allCases.map(\.rawValue))),
        help:
          "copy: packets as they are, where they fit together within 1 ms; reencode: re-encode all "
          + "audio as one stream.", standard: "copy"),
      OptionSpec(
        long: "verify",
        arity: .value("what", .choices(CutRequest.Verification.allCases.map(\.rawValue))),
        help: "How the file is verified before it appears, as for cut.", standard: "edges"),
      OptionSpec(
        long: "dry-run", short: "n",
        help: "Print what is copied and what is re-encoded of each file, and stop."),
      OptionSpec(long: "force", short: "f", help: "Replace the output if it exists."),
      OptionSpec(
        long: "keep-failed", help: "Keep a file that fails verification, as NAME.failed."),
      OptionSpec(long: "json", help: "Print a JSON document."),
      OptionSpec(
        long: "max-length", arity: .value("time", .text),
        help: "Refuse unless the written length is less."),
      OptionSpec(
        long: "min-length", arity: .value("time", .text),
        help: "Refuse if the written length is less."),
      OptionSpec(
        long: "timeout", arity: .value("time", .text), help: "Give up after this time."),
    ],
    exitStatuses: [
      "0 Written as planned; damage in the sources that was copied is reported.",
      "1 The written length would break the limit.",
      "65 Not media, or a file that cannot follow the first.",
      "66 Missing, or not a regular file.",
      "69 An encoder or decoder is missing.",
      "70 A bug in trim: the written file differs from its plan; it was not published.",
      "73 The output exists, or cannot be created, or is an input.",
      "74 Reading or writing failed.",
      "75 It took longer than --timeout allows, or the system lacks resources; nothing was published.",
      "77 Not permitted by the system.",
    ])
}
