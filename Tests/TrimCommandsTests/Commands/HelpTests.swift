import CommandLineKit
import Testing

@testable import TrimCommands

@Suite struct `Given the table of commands` {
  @Suite struct `When help is requested at 80 columns` {
    @Test(arguments: [
      (["--help"], "help.txt"), (["help", "probe"], "help-probe.txt"),
      (["help", "check"], "help-check.txt"), (["help", "doctor"], "help-doctor.txt"),
      (["help", "completions"], "help-completions.txt"),
      (["help", "play"], "help-play.txt"), (["help", "tutorial"], "help-tutorial.txt"),
      (["help", "strip"], "help-strip.txt"), (["help", "wave"], "help-wave.txt"),
      (["help", "timeline"], "help-timeline.txt"), (["help", "batch"], "help-batch.txt"),
      (["help", "find"], "help-find.txt"),
      (["help", "list"], "help-list.txt"), (["help", "retime"], "help-retime.txt"),
    ])
    func `then it matches the agreed text`(_ words: [String], _ golden: String) throws {
      let run = ToolRun(words.map { ArgumentText($0) })
      #expect(run.status == 0)
      #expect(run.err.isEmpty)
      try expectGolden(run.out, golden)
    }

    @Test(arguments: CommandTable.root.subcommands.map(\.name))
    func `then both ways to request help print the same text for every command`(_ command: String) {
      let byHelp = ToolRun("help", command)
      #expect(byHelp.out == ToolRun(["\(command)", "--help"].map { ArgumentText($0) }).out)
      #expect(byHelp.out.hasPrefix("OVERVIEW: "))
      #expect(byHelp.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: [1, 20, 45, 46, 10_000])
    func `then another width changes only the line breaks`(_ columns: Int) {
      let words = ToolRun(
        ["help", "probe"], environment: ["COLUMNS": "\(columns)", "LANG": "C.UTF-8"]
      ).out.filter { !$0.isWhitespace }
      #expect(words == ToolRun("help", "probe").out.filter { !$0.isWhitespace })
    }
  }

  @Suite struct `When a command line is wrong` {
    @Test func `then stderr has the error, the usage and a pointer to the help`() {
      let run = ToolRun("probe", "--jsn", "x")
      #expect(run.status == 64)
      #expect(run.out.isEmpty)
      #expect(
        run.err == """
          Error: Unknown option '--jsn'. Did you mean '--json'?
          Usage: trim probe [<options>] [<file> ...]
            See 'trim help probe' for more information.

          """)
    }

    @Test(arguments: [
      ["probe"], ["probe", "--jobs", "0", "x"],
      ["probe", "--jobs", "99999999999999999999", "x"], ["probe", "--from0", "x"],
      ["probe", "-", "-"], ["probe", "-", "--files-from", "-"],
      ["check", "--max-length", "60", "--min-length", "60", "x"], ["completions", "csh"],
      ["--generate-completion-script", "csh"], ["nonsense"], ["walk.mp4"],
    ])
    func `then the exit status is 64`(_ words: [String]) {
      let run = ToolRun(words.map { ArgumentText($0) })
      #expect(run.status == 64, "\(run.err)")
      #expect(run.err.hasPrefix("Error: "))
      #expect(run.out.isEmpty)
    }

    @Test func `then two JSON options are an error in JSON, and on stderr`() {
      let run = ToolRun("probe", "--json", "--jsonl", "x")
      #expect(run.status == 64)
      #expect(run.err.hasPrefix("Error: '--json' and '--jsonl' exclude each other."))
      #expect(run.out.hasPrefix(#"{"schema":1,"#))
      #expect(run.out.contains(#""kind":"error","input":null,"error":{"code":"usage""#))
    }

    @Test(arguments: ["inf", "none"])
    func `then an unlimited length is not an error`(_ length: String) {
      // Only the missing file is reported, not the length.
      #expect(ToolRun("probe", "--max-length=\(length)", "x").status == 66)
    }

    @Test(arguments: [
      "-9223372036854775808", "1e400", "nan", "-inf", "infinity", "0x10", "1/0", "", "-1", "0", " ",
      "60;5",
      "60.5.1", "1815f", "50%", "-10", "+5", "k2", "#3", "1:75",
      String(repeating: "9", count: 1_000_000), "\u{1B}[2J", "٦٠",
    ])
    func `then a hostile length is refused and never used`(_ length: String) {
      let run = ToolRun("probe", "--max-length=\(length)", "x")
      #expect(run.status == 64)
      #expect(run.err.utf8.count < 2_000)
      #expect(!run.err.unicodeScalars.contains { $0 != "\n" && ForeignText.deceives($0) })
    }
  }

  @Suite struct `When it is dumped as JSON` {
    @Test func `then it matches the agreed document`() throws {
      try expectGolden(ToolRun("--experimental-dump-help").out, "dump-help.json")
    }
  }
}

@Suite struct `Given the options of every command` {
  @Test(arguments: CommandTable.root.subcommands.map(\.name))
  func `help lists the values of each option that has values`(_ command: String) throws {
    let spec = try #require(CommandTable.root.subcommand(command))
    let help = ToolRun("help", command).out
    let words = Set(help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    for option in spec.options + CommandTable.root.options where !option.isHidden {
      guard case .value(_, .choices(let choices)) = option.arity else { continue }
      for choice in choices {
        #expect(words.contains(choice), "--\(option.long) does not list \(choice)")
      }
    }
  }

  /// Commands that report nothing, or only JSON: rows, events, a requested choice, an address, a
  /// text for another program.
  static let silent = [
    "batch", "play", "edit", "studio", "completions", "man", "help",
  ]
  static let reporting = CommandTable.root.subcommands.map(\.name).filter {
    !silent.contains($0)
  }

  @Test(arguments: reporting)
  func `every command that reports has --json`(_ command: String) throws {
    let spec = try #require(CommandTable.root.subcommand(command))
    #expect(spec.options.contains { $0.long == "json" })
  }

  @Test func `the help of commands that do not report says what they give instead`() throws {
    #expect(Self.silent.allSatisfy { CommandTable.root.subcommand($0) != nil })
    #expect(ToolRun("help", "batch").out.contains("one row of JSON per task"))
    #expect(ToolRun("help", "play").out.contains("--events"))
    let edit = try #require(CommandTable.root.subcommand("edit"))
    let print = try #require(edit.options.first { $0.long == "print" })
    guard case .value(_, .choices(let choices)) = print.arity else {
      Issue.record("--print has no values")
      return
    }
    #expect(choices.contains("json"))
  }

  @Test func `an option whose help lists values accepts exactly these values`() throws {
    for spec in CommandTable.root.subcommands {
      for option in spec.options + CommandTable.root.options where !option.isHidden {
        guard case .value(_, .text) = option.arity else { continue }
        // "auto: …; off: …" is how values are listed.
        let words = option.help.split(separator: ";").compactMap { part in
          part.split(separator: ":").first.map { $0.filter { $0 != " " } }
        }
        let listed = zip(words, option.help.split(separator: ";")).filter { word, part in
          part.contains(": ") && !word.isEmpty && word.allSatisfy { $0.isLetter || $0 == "-" }
        }
        #expect(listed.count < 2, "trim \(spec.name) --\(option.long) completes none of its values")
      }
    }
  }

  @Test(arguments: reporting)
  func `an unknown option is an error in JSON if JSON was requested`(
    _ command: String
  ) {
    let run = ToolRun(command, "--json", "--no-such-option")
    #expect(run.status == 64)
    #expect(run.out.contains(#""kind":"error""#))
    #expect(run.out.contains(#""code":"usage""#))
    #expect(run.err.hasPrefix("Error: Unknown option '--no-such-option'."))
    #expect(ToolRun(command, "--no-such-option").out.isEmpty)
  }

  @Test func `a file without a command gets a hint about edit and probe`() {
    let run = ToolRun("walk.mp4")
    #expect(run.status == 64)
    #expect(run.err.contains("trim edit walk.mp4"))
    #expect(run.err.contains("trim probe walk.mp4"))
  }

  @Test func `trim without arguments lists every command with an example`() {
    let text = WelcomeText.text(CommandTable.root, columns: 120)
    for command in CommandTable.root.subcommands {
      #expect(text.contains("trim \(command.name)"))
      #expect(text.contains(command.abstract))
    }
  }
}
