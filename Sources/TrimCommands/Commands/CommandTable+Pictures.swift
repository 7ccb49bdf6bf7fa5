import CommandLineKit
import Detection
import EditLists
import MediaEngine

extension CommandTable {
  static let strip = CommandSpec(
    name: "strip",
    abstract: "Write exact frames of a video side by side.",
    discussion: [
      "Pictures are upright, with their display aspect ratio. With --count they come from the "
        + "middle of as many equal parts. HDR is tone-mapped to SDR, and this is reported."
    ],
    arguments: [ArgumentSpec(name: "file", help: "A media file.", kind: .file)],
    options: drawnPart + [
      OptionSpec(
        long: "count", arity: .value("count", .text), help: "How many pictures.", standard: "10"),
      OptionSpec(
        long: "every", arity: .value("time", .text),
        help: "The time between pictures, in place of --count."),
      OptionSpec(
        long: "width", arity: .value("pixels", .text), help: "How wide each picture is.",
        standard: "160"),
      OptionSpec(
        long: "columns", arity: .value("count", .text),
        help: "The maximum number of pictures per row.", standard: "10"),
      OptionSpec(
        long: "fast", help: "Take the nearest keyframe for each: much faster, not exact."),
      output("PNG or JPEG, by extension; - for standard output (PNG); by default the terminal."),
      force,
      OptionSpec(long: "json", help: "Print what was written as JSON."), timeout,
    ],
    exitStatuses: drawnStatuses)

  static let wave = CommandSpec(
    name: "wave",
    abstract: "Write the audio levels of a file: a picture, a drawing, or peaks as JSON.",
    discussion: [
      "Each pixel shows the lowest and the highest level, and within them the RMS level. "
        + "Where the video continues without audio, the levels are zero. The JSON is "
        + "audiowaveform's, version 2."
    ],
    arguments: [ArgumentSpec(name: "file", help: "A media file.", kind: .file)],
    options: drawnPart + [
      OptionSpec(
        long: "channels",
        arity: .value("which", .choices(Waveform.Channels.allCases.map(\.rawValue))),
        help: "Mix all channels, or show each separately.", standard: "mixed"),
      OptionSpec(
        long: "width", arity: .value("pixels", .text), help: "Pixels of PNG and SVG.",
        standard: "1200"),
      OptionSpec(
        long: "height", arity: .value("pixels", .text), help: "Rows of PNG and SVG.",
        standard: "240"),
      OptionSpec(
        long: "samples-per-pixel", arity: .value("count", .text),
        help: "Samples for each pixel of JSON.", standard: "256"),
      OptionSpec(
        long: "bits", arity: .value("bits", .choices(["8", "16"])),
        help: "Bits per level in JSON.", standard: "16"),
      output("PNG, SVG or JSON, by extension; - for standard output (PNG)."), force, written,
      timeout,
    ],
    exitStatuses: drawnStatuses)

  static let find = CommandSpec(
    name: "find",
    abstract: "Find silence, black, still pictures, hard cuts and fades, to the sample or frame.",
    discussion: [
      "Without --silence, --black, --still, --scenes or --fades it looks for all of them. Silence is where no window "
        + "of 10 ms of any channel reaches the level (RMS). The thresholds are shown with the result."
    ],
    arguments: [ArgumentSpec(name: "file", help: "A media file.", kind: .file)],
    options: drawnPart + [
      OptionSpec(long: "silence", help: "Find where all audio channels are quiet."),
      .silenceLevel, .shortest(.silence),
      OptionSpec(
        long: "channels", arity: .value("which", .choices(FindOptions.channels)),
        help: "all: silence is where all channels are quiet; each: list it for each by itself.",
        standard: "all"),
      OptionSpec(long: "black", help: "Find black pictures; the bars of a letterbox do not count."),
      .shortest(.black), OptionSpec(long: "still", help: "Find where the picture stands still."),
      .shortest(.still),
      OptionSpec(long: "scenes", help: "Find hard cuts, and list the scenes between them."),
      OptionSpec(long: "fades", help: "Find fades to and from black and white."),
      OptionSpec(
        long: "fast",
        help: "With --scenes: decode keyframes, and all frames only between those that differ."),
      OptionSpec(
        long: "output", short: "o", arity: .value("list", .file),
        help: "Write a list, for 'trim cut --cuts' and other programs; - for standard output."),
      OptionSpec(
        long: "as",
        arity: .value(
          "format", .choices(EditListFormat.all.filter(\.isWritten).map(\.id))),
        help: "Its format.", standard: "what its extension names"),
      force, OptionSpec(long: "json", help: "Print JSON."), timeout,
    ],
    exitStatuses: drawnStatuses)

  static let timeline = CommandSpec(
    name: "timeline",
    abstract: "Draw a file's timeline: GOPs, frame sizes, audio, edit lists, gaps and chapters.",
    discussion: [
      "One picture as SVG, with the classes of keyframes and what edit lists hide; a tooltip shows "
        + "each part's figures. A part that is given is marked, with what a cut would copy and "
        + "re-encode."
    ],
    arguments: [ArgumentSpec(name: "file", help: "A media file.", kind: .file)],
    options: drawnPart + [
      OptionSpec(
        long: "width", arity: .value("pixels", .text), help: "How wide the drawing is.",
        standard: "1200"),
      output("a name that ends in .svg, or - for standard output."), force, written, timeout,
    ],
    exitStatuses: drawnStatuses)

  private static let drawnPart: [OptionSpec] = [
    OptionSpec(
      long: "from", arity: .value("time", .text),
      help: "Where the part starts: 60.5, 1:00.5, 1815f, 25%, -10, k12 or #3.",
      standard: "the start"),
    OptionSpec(
      long: "to", arity: .value("time", .text),
      help: "Where it ends (exclusive).", standard: "the end"),
    OptionSpec(
      long: "for", arity: .value("length", .text), help: "How long it is, in place of --to."),
  ]

  private static func output(_ kinds: String) -> OptionSpec {
    OptionSpec(
      long: "output", short: "o", arity: .value("file", .file),
      help: "Where to write it: \(kinds)")
  }

  private static let force = OptionSpec(
    long: "force", short: "f", help: "Replace a file of that name.")

  private static let written = OptionSpec(
    long: "json", help: "Print what was written as JSON.")

  private static let timeout = OptionSpec(
    long: "timeout", arity: .value("time", .text), help: "Give up after this time.")

  private static let drawnStatuses = [
    "65 Not media, damaged, without anything to draw, or refused by a limit.",
    "66 Missing, or not a regular file.",
    "69 There is no decoder for the codec, or FFmpeg is missing.",
    "73 The output exists, is the input itself, or cannot be created.",
    "74 The output cannot be written.",
  ]
}
