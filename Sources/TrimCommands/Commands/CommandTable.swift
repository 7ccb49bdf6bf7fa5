import CommandLineKit
import Isolation

/// Everything `trim` understands, as data: one table for parsing, help, completions and manual.
enum CommandTable {
  static let root = answeringHabits(
    CommandSpec(
      name: "trim",
      abstract: "Trims video to the exact frame, and shows how long media files really are.",
      options: globalOptions,
      subcommands: [
        probe, check, cut, join, find, list, retime, batch, play, edit, studio, strip, wave,
        timeline,
        tutorial,
        doctor, completions, man, help,
      ].map { command in
        var command = command
        command.example = examples[command.name]
        if RemoteInputs.commands.contains(command.name) { command.options += RemoteInputs.options }
        if command.extraArgument == nil, command.options.contains(where: { $0.long == "output" }) {
          command.extraArgument = outputHabit
        }
        if command.options.contains(where: { $0.long == "from" }) {
          command.extraTime = "A part is named with --from and --to: --from 5 --to 8."
        }
        return answeringHabits(command)
      }))

  /// One example line per command, with the most useful options.
  private static let examples = [
    "edit": "trim edit clip.mp4", "studio": "trim studio clip.mp4",
    "cut": "trim cut clip.mp4 --from 0:05 --to 0:30",
    "join": "trim join a.mp4 b.mp4#t=5,10 -o all.mp4",
    "list": "trim list convert clip.edl clip.mp4 -o clip.otio",
    "retime": "trim retime clip.srt --by plan.json -o short.srt",
    "play": "trim play clip.mp4 --from 0:05", "probe": "trim probe clip.mp4",
    "check": "trim check clip.mp4 --max-length 60", "strip": "trim strip clip.mp4",
    "wave": "trim wave clip.mp4 -o wave.png", "find": "trim find clip.mp4 --silence",
    "timeline": "trim timeline clip.mp4 -o timeline.svg", "batch": "trim batch tasks.jsonl",
    "tutorial": "trim tutorial", "doctor": "trim doctor", "completions": "trim completions bash",
    "man": "trim man", "help": "trim help edit",
  ]

  static let globalOptions: [OptionSpec] = [
    OptionSpec(long: "help", short: "h", help: "Show help information."),
    OptionSpec(long: "version", help: "Show the version of trim and of FFmpeg's libraries."),
    OptionSpec(long: "quiet", short: "q", help: "Show no progress; errors are still printed."),
    OptionSpec(
      long: "verbose", short: "v", arity: .counted,
      help: "Report more: errors on stderr too where they are rows on stdout."),
    OptionSpec(
      long: "color", arity: .value("when", .choices(ColorChoice.allCases.map(\.rawValue))),
      help: "Color: auto, always or never.", standard: "auto"),
    OptionSpec(long: "no-color", help: "The same as --color never."),
    OptionSpec(
      long: "plain", help: "No tables, color or redrawing: for screen readers and logs."),
    Isolation.option,
    OptionSpec(
      long: "generate-completion-script", arity: .value("shell", .text),
      help: "Print a completion script for bash, zsh or fish.", isHidden: true),
    OptionSpec(
      long: "experimental-dump-help", help: "Print the commands as JSON.", isHidden: true),
  ]

  private static let completions = CommandSpec(
    name: "completions",
    abstract: "Print a completion script for a shell.",
    arguments: [
      ArgumentSpec(
        name: "shell", help: "bash, zsh or fish.", kind: .choices(CompletionShell.names))
    ])

  private static let man = CommandSpec(
    name: "man", abstract: "Print a manual page, in mdoc format.",
    discussion: ["Without a command it prints the page for all of them."],
    arguments: [
      ArgumentSpec(name: "command", help: "The command.", isOptional: true, kind: .command)
    ])

  private static let help = CommandSpec(
    name: "help",
    abstract: "Show help about a command.",
    arguments: [
      ArgumentSpec(name: "command", help: "The command.", isOptional: true, kind: .command)
    ])
}
