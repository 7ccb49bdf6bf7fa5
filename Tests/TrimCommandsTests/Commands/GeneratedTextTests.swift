import CommandLineKit
import Testing

@testable import TrimCommands

@Suite(.timeLimit(.minutes(5))) struct `Given text generated from the table of commands` {
  static func isInstalled(_ program: String) -> Bool {
    (try? Program.shell("command -v \"$1\"", [Array(program.utf8)]).status) == 0
  }

  @Suite struct `When a shell reads the completions` {
    @Test(arguments: CompletionShell.allCases)
    func `then it finds no fault in them`(_ shell: CompletionShell) throws {
      guard `Given text generated from the table of commands`.isInstalled(shell.rawValue) else {
        try Test.cancel("\(shell.rawValue) is not installed")
      }
      let folder = try TemporaryFolder()
      let script = ToolRun("completions", shell.rawValue).out
      try folder.write(Array(script.utf8), to: "script")
      let check = try Program.shell(
        "\(shell.rawValue) -n \"$1\"", [Array(folder.path(of: "script").utf8)])
      #expect(check.status == 0, "\(check.errText)")
      #expect(check.err.isEmpty, "\(check.errText)")
      #expect(script == ToolRun("--generate-completion-script", shell.rawValue).out)
    }

    @Test(arguments: [
      (["trim", ""], "probe"), (["trim", "pr"], "probe"), (["trim", "probe", "--de"], "--depth"),
      (["trim", "probe", "--depth", "h"], "header"), (["trim", "completions", "z"], "zsh"),
      (["trim", "help", "ch"], "check"), (["trim", "man", "ti"], "timeline"),
      (["trim", "check", "--color", "n"], "never"),
    ])
    func `then bash offers matching completions`(_ words: [String], _ offer: String) throws {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let command = """
        source "$1"; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _trim
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let folder = try TemporaryFolder()
      try folder.write(
        Array(CompletionShell.bash.script(for: CommandTable.root).utf8), to: "script")
      let run = try Program.shell(
        "exec bash -c \"$2\" bash \"$1\"",
        [Array(folder.path(of: "script").utf8), Array(command.utf8)])
      #expect(run.outText.split(separator: "\n").contains(offer[...]), "\(run.errText)")
    }
  }

  @Suite struct `When mandoc reads a manual page` {
    static let pages = [["man"]] + CommandTable.root.subcommands.map { ["man", $0.name] }

    private static func file(of page: [String]) -> String {
      (["trim"] + page.dropFirst()).joined(separator: "-") + ".1"
    }

    @Test(arguments: pages) func `then it finds no fault in it`(_ words: [String]) throws {
      guard `Given text generated from the table of commands`.isInstalled("mandoc") else {
        try Test.cancel("mandoc is not installed")
      }
      // As they are installed, side by side: mandoc compares the name inside with the file's, and
      // looks for the referenced pages.
      let folder = try TemporaryFolder()
      for page in Self.pages {
        let text = ToolRun(page.map { ArgumentText($0) }).out
        try folder.write(Array(text.utf8), to: Self.file(of: page))
      }
      let check = try Program.shell(
        "cd \"$1\" && exec mandoc -Tlint \"$2\"",
        [folder.root, Self.file(of: words)].map { Array($0.utf8) })
      #expect(check.status == 0)
      #expect(check.outText.isEmpty)
    }

    @Test func `then every command and option is in it`() throws {
      let page = ToolRun("man").out
      for command in CommandTable.root.subcommands {
        #expect(page.contains(".Ss trim \(command.name)\n"))
        for option in command.visibleOptions { #expect(page.contains("Fl \\-\(option.long)")) }
      }
    }

    @Test(arguments: CommandTable.root.subcommands.map(\.name))
    func `then a command's own page has only its own options`(
      _ name: String
    ) throws {
      let page = ToolRun("man", name).out
      let command = try #require(CommandTable.root.subcommand(name))
      #expect(page.contains(".Nm trim-\(name)\n"))
      for option in command.visibleOptions { #expect(page.contains("Fl \\-\(option.long)")) }
      let others = CommandTable.root.subcommands.filter { $0.name != name }
      for other in others { #expect(!page.contains(".Cm \(other.name)\n")) }
    }
  }
}
