import CommandLineKit
import Detection
import MediaEngine
import Trimming

extension CommandTable {
  static let cut = CommandSpec(
    name: "cut",
    abstract: "Cut a part out of a file, frame-accurately, re-encoding almost nothing.",
    discussion: [
      "Positions count from the first presented sample. What is on screen from --from until --to is "
        + "written: the frame on screen at --from begins the cut, for what is left of its duration. The output's extension chooses the container: .m4a, .mp3, .wav, .aiff, .flac, .opus, "
        + ".aac and .ogg write the audio only, re-encoded where they cannot hold its codec."
    ],
    arguments: [
      ArgumentSpec(name: "file", help: "A media file.", isOptional: true, kind: .file)
    ],
    options: [
      OptionSpec(
        long: "output", short: "o", arity: .value("output", .file),
        help: "The file to write; - with --type for standard output.",
        standard: "NAME-trimmed next to the input"),
      OptionSpec(
        long: "type", arity: .value("type", .choices(PipedCut.Kind.allCases.map(\.rawValue))),
        help: "What -o - writes to standard output: mkv, ts, mp4 (in fragments) or wav."),
    ] + OptionSpec.part + [
      OptionSpec(
        long: "keep", arity: .value("range", .text),
        help: "A part such as 10..20 or 1:00+30; several go into numbered files. Repeatable."),
      OptionSpec(
        long: "remove", arity: .value("range", .text),
        help: "A range such as 10..20 to leave out, or silence, black or still: where 'trim find' "
          + "finds them; what is left goes into one file. Repeatable."),
      OptionSpec(
        long: "margin", arity: .value("time", .text),
        help: "How much of what is found stays at both of its ends.",
        standard: CutSearch.usualMargin),
      OptionSpec(
        long: "min-keep", arity: .value("time", .text),
        help: "What is left between two findings goes as well if it is shorter.", standard: "0"),
      OptionSpec(
        long: "split", arity: .value("what", .choices(CutSearch.dividers.map(\.option))),
        help:
          "Write a numbered file for each scene, or for what is between black pictures, silences or fades, "
          + "separated in their middle."),
      OptionSpec(
        long: "as-chapters", help: "With --split: write one file with chapters instead."),
      .silenceLevel, .shortest(.silence), .shortest(.black), .shortest(.still),
      OptionSpec(
        long: "cuts", arity: .value("list", .file),
        help: "Keep or remove what a list says: EDL, OpenTimelineIO, Final Cut, LosslessCut, "
          + "SponsorBlock, scenes, chapters, subtitles, labels; - for standard input."),
      OptionSpec(
        long: "cuts-are",
        arity: .value("what", .choices(CutList.Meaning.allCases.map(\.rawValue))),
        help: "What the ranges of the list are, if not what its format says."),
      .listSources,
    ] + OptionSpec.lists + [
      OptionSpec(
        long: "keep-cues", arity: .value("text", .text),
        help: "With --cuts: keep the cues of a transcript that contain the text. Repeatable."),
      OptionSpec(
        long: "remove-words", arity: .value("words", .text),
        help: "With --cuts: remove these words of a transcript, such as um,uh. Repeatable."),
      OptionSpec(
        long: "edge-tolerance", arity: .value("time", .text),
        help: "How far the edges of cues and words move to the quietest instant.",
        standard: ChosenCues.usualTolerance),
      OptionSpec(long: "join", help: "Several parts go into one file, in the order given."),
      OptionSpec(
        long: "separate", help: "With --remove or --cuts: several parts go into numbered files."),
    ] + OptionSpec.settings + [
      .audio(
        "copy: packets as they are; reencode: re-encode all audio, in another codec where "
          + "the output needs one."),
      OptionSpec(
        long: "strict-range",
        help: "Leave nothing from outside the range in the file, hidden or not: audio is "
          + "re-encoded where its packets contain some."),
      OptionSpec(long: "fragmented", help: "Write MP4 in fragments, for streaming."),
      .verify(
        "How the file is verified before it appears: edges: packets, times and what was "
          + "encoded, and damage in the source that is cheap to find; full: everything decoded; "
          + "written: no search for damage; none."),
      OptionSpec(
        long: "reject-damage",
        help: "Write nothing if damage in the source would be copied (status 65)."),
      OptionSpec(
        long: "keep-creation-time",
        help: "Keep the time at which a camera recorded the file; otherwise that of --from is "
          + "written."),
      .dryRun("Print the plan and stop."),
      OptionSpec(
        long: "plan", arity: .value("plan", .file),
        help: "Execute a plan that -n --json printed for the same file."),
      OptionSpec(
        long: "sidecars",
        help:
          "Write subtitles, transcripts and chapters beside the source (NAME.en.srt) beside the "
          + "output too, with the times that they have there."),
    ] + OptionSpec.publishing + OptionSpec.writtenLength + [
      OptionSpec(
        long: "max-bytes", arity: .value("bytes", .text),
        help: "Refuse if the file would be larger: 25000000, 25M, 24MiB."),
      .timeout,
    ],
    exitStatuses: [
      "0 Written as planned; damage in the source that was copied is reported.",
      "1 The written length would break the limit.",
      "65 Not media, of a kind that cannot be cut, or damaged where a frame must be decoded.",
      "66 Missing, or not a regular file.",
      "69 An encoder or decoder is missing.",
      "70 A bug in trim: the written file differs from its plan; it was not published.",
      "73 The output exists, or cannot be created, or is the input.",
      "74 Reading or writing failed.",
      "75 It took longer than --timeout allows, or the system lacks resources; nothing was published.",
      "77 Not permitted by the system.",
    ])
}
