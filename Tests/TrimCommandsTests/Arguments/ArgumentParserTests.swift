import CommandLineKit
import Testing

@testable import TrimCommands

private func parse(_ words: String...) throws(UsageError) -> ArgumentParser.Request {
  try ArgumentParser(root: CommandTable.root).parse(words.map { ArgumentText($0) })
}

private func parsed(_ words: String...) throws -> ParsedArguments {
  let request = try ArgumentParser(root: CommandTable.root).parse(words.map { ArgumentText($0) })
  guard case .run(_, let parsed) = request else {
    Issue.record("not a command to run: \(request)")
    return ParsedArguments()
  }
  return parsed
}

@Suite struct `Given a command line` {
  struct Spelling: CustomTestStringConvertible, Sendable {
    var words: [String]
    var testDescription: String { words.joined(separator: " ") }
  }

  @Suite struct `When an option has a value` {
    @Test(arguments: [
      Spelling(words: ["probe", "--jobs", "2", "a.mp4"]),
      Spelling(words: ["probe", "--jobs=2", "a.mp4"]),
      Spelling(words: ["probe", "-j", "2", "a.mp4"]),
      Spelling(words: ["probe", "-j2", "a.mp4"]),
      Spelling(words: ["probe", "-j=2", "a.mp4"]),
      Spelling(words: ["probe", "a.mp4", "-j2"]),
      Spelling(words: ["probe", "-qj2", "a.mp4"]),
      Spelling(words: ["-v", "probe", "-j", "2", "a.mp4"]),
    ])
    func `then every usual spelling gives the same result`(_ spelling: Spelling) throws {
      let request = try ArgumentParser(root: CommandTable.root)
        .parse(spelling.words.map { ArgumentText($0) })
      guard case .run("probe", let parsed) = request else {
        Issue.record("not a probe: \(request)")
        return
      }
      #expect(parsed.last("jobs") == "2")
      #expect(parsed.positionals == ["a.mp4"])
    }

    @Test func `then the last of several wins, and all are kept`() throws {
      let parsed = try parsed("probe", "--depth", "header", "x", "--depth=frames")
      #expect(parsed.last("depth") == "frames")
      #expect(parsed.all("depth") == ["header", "frames"])
    }

    @Test func `then a negative number is a value and another option is not`() throws {
      #expect(try parsed("probe", "--timeout", "-5", "x").last("timeout") == "-5")
      #expect(throws: UsageError.self) { try parse("probe", "x", "--timeout", "--json") }
    }

    @Test func `then an empty value is a value`() throws {
      #expect(try parsed("probe", "--files-from=", "x").last("files-from") == "")
    }
  }

  @Suite struct `When names look like options` {
    @Test func `then two dashes end the options`() throws {
      let parsed = try parsed("probe", "--json", "--", "-x.mp4", "--", "--jsonl")
      #expect(parsed.positionals == ["-x.mp4", "--", "--jsonl"])
      #expect(!parsed.has("jsonl"))
    }

    @Test func `then two dashes before the command still end the options`() throws {
      #expect(try parsed("--", "probe", "-x.mp4").positionals == ["-x.mp4"])
    }

    @Test func `then a single dash is standard input`() throws {
      let parsed = try parsed("probe", "-", "--files-from", "list")
      #expect(parsed.positionals == ["-"])
      #expect(parsed.positionals.first?.isStandardStream == true)
    }

    @Test func `then a name that is not valid text keeps its bytes`() throws {
      let name = ArgumentText(bytes: [0xe9, 0x2e, 0x6d, 0x70, 0x34])
      let request = try ArgumentParser(root: CommandTable.root).parse(["probe", name])
      guard case .run(_, let parsed) = request else { return }
      #expect(parsed.positionals == [name])
    }
  }

  @Suite struct `When it asks for help` {
    @Test(
      arguments: [
        (["--help"], nil), (["-h"], nil), ([], nil), (["help"], nil), (["help", "probe"], "probe"),
        (["probe", "--help"], "probe"), (["probe", "-h", "--nonsense"], "probe"),
        (["-q", "help", "check"], "check"),
      ] as [([String], String?)])
    func `then it gets help`(_ words: [String], _ command: String?) throws {
      let request = try ArgumentParser(root: CommandTable.root).parse(
        words.map { ArgumentText($0) })
      #expect(request == .help(command: command))
    }

    @Test func `then the version option works anywhere`() throws {
      #expect(try parse("--version") == .version)
      #expect(try parse("probe", "--version") == .version)
    }
  }

  @Suite struct `When it cannot be understood` {
    @Test(arguments: [
      (["prob", "x"], "Unknown command 'prob'. Did you mean 'probe'?"),
      (
        ["clip.mp4"],
        "'clip.mp4' is not a command. To trim it: trim edit clip.mp4, or "
          + "trim cut clip.mp4 --from 5 --to 8. "
          + "To see what it contains: trim probe clip.mp4"
      ),
      (["probe", "--jsn", "x"], "Unknown option '--jsn'. Did you mean '--json'?"),
      (["probe", "--form", "x"], "Unknown option '--form'. Did you mean '--from0'?"),
      (["probe", "-x", "x"], "Unknown option '-x'."),
      (["probe", "--js", "x"], "Unknown option '--js'. Did you mean '--json'?"),
      (
        ["--json", "probe"],
        "Unknown option '--json'. It belongs after a command: "
          + "trim probe --json ..."
      ),
      (["probe", "--json=yes", "x"], "The option '--json' takes no value, but 'yes' was given."),
      (["probe", "x", "--depth"], "Missing value for '--depth <depth>'."),
      (
        ["probe", "x", "--depth", "headers"],
        "The value 'headers' is invalid for '--depth <depth>'. Did you mean 'header'? "
          + "Please provide one of: 'auto', 'header', 'packets', 'frames'."
      ),
      (["man", "me"], "Unknown command 'me'."),
      (["doctor", "x"], "Unexpected argument 'x'."),
      (["help", "me"], "Unknown command 'me'."),
      (["completions"], "Missing expected argument '<shell>'."),
      (["probe", "--\u{1b}[2J", "x"], "Unknown option '--\\u{1b}[2J'."),
    ])
    func `then the error says what is wrong and suggests what may be meant`(
      _ words: [String], _ message: String
    ) {
      let error = #expect(throws: UsageError.self) {
        try ArgumentParser(root: CommandTable.root).parse(words.map { ArgumentText($0) })
      }
      #expect(error?.message == message)
    }
  }
}
