import CommandLineKit
import Detection
import Trimming

/// Options that mean the same in several commands.
extension OptionSpec {
  /// `--from`, `--to` and `--for`.
  static let part = [
    OptionSpec(
      long: "from", arity: .value("time", .text),
      help: "Where the part starts: 60.5, 1:00.5, 1815f, 25%, -10, k12 or #3.",
      standard: "the start"),
    OptionSpec(
      long: "to", arity: .value("time", .text), help: "Where it ends (exclusive).",
      standard: "the end"),
    OptionSpec(
      long: "for", arity: .value("length", .text), help: "How long it is, in place of --to."),
  ]

  /// `--picture` and `--picture-rate`.
  static let pictures = [
    OptionSpec(
      long: "picture",
      arity: .value("how", .choices(PlayOptions.Pictures.allCases.map(\.rawValue))),
      help: "auto: Kitty images if the terminal shows them, else blocks; image, blocks, none.",
      standard: "auto"),
    OptionSpec(
      long: "picture-rate", arity: .value("count", .text),
      help: "Maximum pictures per second, 1 to 60.", standard: "15"),
  ]

  /// `--mode` and `--tracks`.
  static let settings = [
    OptionSpec(
      long: "mode", arity: .value("mode", .choices(CutMode.allCases.map(\.rawValue))),
      help: "smart: re-encode the edges only; edit-list: copy only, and mark what is outside the "
        + "part as not shown, which some players ignore; copy: move the ends to keyframes; reencode: re-encode everything.",
      standard: "smart"), tracks,
  ]

  /// The same for parts of several files, whose ends no edit list can mark.
  static let joinedManner = [
    OptionSpec(
      long: "mode",
      arity: .value(
        "mode", .choices(CutMode.allCases.filter { $0 != .editList }.map(\.rawValue))),
      help:
        "smart: re-encode the edges of parts only; copy: move their ends to keyframes; reencode: "
        + "re-encode everything.", standard: "smart"), tracks,
  ]

  private static let tracks = OptionSpec(
    long: "tracks", arity: .value("tracks", .text),
    help: "Which tracks to write: video, audio, subtitle, or comma-separated numbers as "
      + "'trim probe' shows them.", standard: "all that the output can hold")

  /// `--audio`, of which a command says when sound is copied.
  static func audio(_ help: String) -> OptionSpec {
    OptionSpec(
      long: "audio", arity: .value("how", .choices(AudioMode.allCases.map(\.rawValue))),
      help: help, standard: "copy")
  }

  /// `--verify`.
  static func verify(_ help: String) -> OptionSpec {
    OptionSpec(
      long: "verify",
      arity: .value("what", .choices(CutRequest.Verification.allCases.map(\.rawValue))),
      help: help, standard: "edges")
  }

  /// `--dry-run`.
  static func dryRun(_ help: String) -> OptionSpec {
    OptionSpec(long: "dry-run", short: "n", help: help)
  }

  /// `--force`, `--keep-failed` and `--json`.
  static let publishing = [
    OptionSpec(long: "force", short: "f", help: "Replace the output if it exists."),
    OptionSpec(
      long: "keep-failed", help: "Keep a file that fails verification, as NAME.failed."),
    OptionSpec(long: "json", help: "Print a JSON document."),
  ]

  /// `--max-length` and `--min-length` of what is written.
  static let writtenLength = [
    OptionSpec(
      long: "max-length", arity: .value("time", .text),
      help: "Refuse unless the written length is less."),
    OptionSpec(
      long: "min-length", arity: .value("time", .text),
      help: "Refuse if the written length is less."),
  ]

  /// `--timeout` of what writes.
  static let timeout = OptionSpec(
    long: "timeout", arity: .value("time", .text), help: "Give up after this time.")

  /// `--silence-level`.
  static let silenceLevel = OptionSpec(
    long: "silence-level", arity: .value("dB", .text),
    help: "What is quiet, in dBFS: -120 to 0; loud-30 is 30 dB below the loudness.",
    standard: FindOptions.usualLevel)

  /// `--silence-for`, `--black-for` and `--still-for`.
  static func shortest(_ kind: Finding.Kind) -> OptionSpec {
    let what = kind == .silence ? "silence" : "\(kind.rawValue) stretch"
    return OptionSpec(
      long: "\(kind.option)-for", arity: .value("time", .text), help: "The shortest \(what).",
      standard: FindOptions.usualLengths[kind])
  }

  /// `--ignore-mute` and `--words`: how lists are read.
  static let lists = [
    OptionSpec(long: "ignore-mute", help: "Leave out what a list mutes, instead of refusing it."),
    OptionSpec(long: "words", help: "Take the words of a transcript in place of its segments."),
  ]

  /// `--sources` of what names files.
  static func sources(_ help: String, standard: String) -> OptionSpec {
    OptionSpec(
      long: "sources", arity: .value("folder", .file), help: help, standard: standard)
  }

  /// Where the files are that a list names.
  static let listSources = sources(
    "Without a file: open those that the list names, in this folder or below it.",
    standard: "the folder of the list")

  /// Where the file of a project is.
  static let projectSource = sources(
    "Where the file of a project is: in this folder, or below it.", standard: "its own folder")

  /// `--no-state` of the screens that cut.
  static let noState = OptionSpec(
    long: "no-state",
    help: "Keep neither unfinished work, which returns with the same file, nor a changed limit.")

  /// `--first-run`, `--max-length` and `--timeout` of screens.
  static let screen = [
    OptionSpec(long: "first-run", help: "Act as on the very first run, and leave no trace of it."),
    OptionSpec(
      long: "max-length", arity: .value("time", .text),
      help: "The length must be less; 'none' for any length. TRIM_MAX_LENGTH sets it too.",
      standard: "60.5"),
    OptionSpec(
      long: "timeout", arity: .value("time", .text),
      help: "Give up on reading the file after this time."),
  ]
}
