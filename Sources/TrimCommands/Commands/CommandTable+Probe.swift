import CommandLineKit

extension CommandTable {
  static let probe = CommandSpec(
    name: "probe",
    abstract: "Show how long media files really are, with their tracks and keyframes.",
    discussion: [
      "The presented duration is what a player shows, and what limits apply to. It comes from "
        + "the sample table where that is complete, else from a scan of all packets."
    ],
    arguments: [files],
    options: [
      OptionSpec(
        long: "depth",
        arity: .value("depth", .choices(["auto", "header", "packets", "frames"])),
        help: "How deep to look: the cheapest reliable way, headers and sample tables only, all "
          + "packets, or a full decode.", standard: "auto"),
      OptionSpec(long: "json", help: "Print a JSON document; an array for several files."),
      OptionSpec(long: "jsonl", help: "Print JSON, one line for each file."),
      OptionSpec(long: "keyframes", help: "List every keyframe with its exact time."),
      OptionSpec(
        long: "frames", help: "List every shown frame with its exact time and duration."),
      maxLength,
    ] + manyFiles,
    exitStatuses: [
      "0 Every file was read and is intact.",
      "1 Several files: at least one failed or is damaged.",
      "65 Not media, damaged, or refused by a limit.",
      "66 Missing, or not a regular file.",
    ])

  static let check = CommandSpec(
    name: "check",
    abstract: "Check that every file is shorter than the limit: a gate for uploads.",
    discussion: [
      "The maximum is exclusive, the minimum inclusive. With --no-black and --no-silence the file is decoded, "
        + "as 'trim find' does."
    ],
    arguments: [files],
    options: [
      maxLength,
      OptionSpec(
        long: "min-length", arity: .value("time", .text),
        help: "The presented length may not be less."),
      OptionSpec(
        long: "no-black", arity: .value("time", .text),
        help: "The picture may not be black for that long."),
      OptionSpec(
        long: "no-silence", arity: .value("time", .text),
        help: "All channels may not be silent for that long."),
      .silenceLevel,
      OptionSpec(
        long: "depth",
        arity: .value("depth", .choices(["auto", "header", "packets", "frames"])),
        help: "How deep to look, as in 'trim probe'.", standard: "auto"),
      OptionSpec(long: "json", help: "Print a JSON document; an array for several files."),
      OptionSpec(long: "jsonl", help: "Print JSON, one line for each file."),
    ] + manyFiles,
    exitStatuses: [
      "0 Every presented length fits.",
      "1 At least one does not, or a file has what --no-black or --no-silence forbid.",
      "65 A file is not media or damaged, or its length cannot be determined, or it cannot be "
        + "looked at everywhere; takes precedence over 1.",
      "66 A file is missing or not a regular file; takes precedence over 65.",
    ])

  private static let files = ArgumentSpec(
    name: "file", help: "Media files; '-' is standard input.", isOptional: true,
    isRepeated: true, kind: .file)

  private static let maxLength = OptionSpec(
    long: "max-length", arity: .value("time", .text),
    help: "The presented length must be less.", standard: "60.5")

  private static let manyFiles: [OptionSpec] = [
    OptionSpec(
      long: "files-from", arity: .value("list", .file),
      help: "Read names from a file, one per line; '-' is standard input."),
    OptionSpec(
      long: "from0", short: "0", help: "Names in the list end with a NUL byte, not a newline."),
    OptionSpec(
      long: "jobs", short: "j", arity: .value("count", .text),
      help: "Files to work on at once.", standard: "the number of processors"),
    OptionSpec(
      long: "timeout", arity: .value("time", .text), help: "Give up on a file after this time."),
  ]
}
