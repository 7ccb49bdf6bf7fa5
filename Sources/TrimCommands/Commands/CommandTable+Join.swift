import CommandLineKit
import MediaEngine
import Trimming

extension CommandTable {
  static let join = CommandSpec(
    name: "join",
    abstract: "Put several files, or parts of them, into one, re-encoding almost nothing.",
    discussion: [
      "The files follow each other in the order given; a part is written after the name: b.mp4#t=5,10. "
        + "What is coded alike is copied; pictures of another format are re-encoded to the leading one, "
        + "that of the longest total duration, scaled with bars. Sound that does not fit together becomes "
        + "one stream. Tags and covers are those of the leading file; chapters of all are kept."
    ],
    arguments: [
      ArgumentSpec(
        name: "files", help: "Media files.", isOptional: true, isRepeated: true, kind: .file)
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
        long: "cuts", arity: .value("list", .file),
        help: "In place of files: write the parts that a list names, in its order."),
      .listSources,
    ] + OptionSpec.lists + [
      OptionSpec(
        long: "like", arity: .value("file", .file),
        help: "The file, one of those given, whose format the others get.",
        standard: "that of the longest total duration"),
      OptionSpec(
        long: "join-as", arity: .value("how", .choices(JoinMode.allCases.map(\.rawValue))),
        help:
          "fit: re-encode pictures of another format, and show black where a file has none; copy: "
          + "refuse such files.", standard: "fit"),
      OptionSpec(
        long: "chapters-from-names",
        help: "Make each file a chapter with its name, in place of the files' own chapters."),
    ] + OptionSpec.joinedManner + [
      .audio(
        "copy: packets as they are, where they fit together within 1 ms; reencode: re-encode all "
          + "audio as one stream."),
      .verify("How the file is verified before it appears, as for cut."),
      .dryRun("Print what is copied and what is re-encoded of each file, and stop."),
    ] + OptionSpec.publishing + OptionSpec.writtenLength + [.timeout],
    exitStatuses: [
      "0 Written as planned; damage in the sources that was copied is reported.",
      "1 The written length would break the limit.",
      "65 Not media, or a file that cannot follow the leading one.",
      "66 Missing, or not a regular file.",
      "69 An encoder or decoder is missing.",
      "70 A bug in trim: the written file differs from its plan; it was not published.",
      "73 The output exists, or cannot be created, or is an input.",
      "74 Reading or writing failed.",
      "75 It took longer than --timeout allows, or the system lacks resources; nothing was published.",
      "77 Not permitted by the system.",
    ])
}
