import CommandLineKit
import Testing

@testable import TrimCommands

@Suite(
  .enabled(if: Binary.path != nil, "trim is not built beside the tests"), .timeLimit(.minutes(5)))
struct `Given the installed trim` {
  /// Runs a shell command in which `"$T"` is the tool.
  private func shell(
    _ command: String, _ arguments: [[UInt8]] = [], environment: [String: String] = [:]
  ) throws -> Program {
    let tool = try #require(Binary.path)
    return try Program.shell(
      command, arguments, environment: environment.merging(["T": tool]) { $1 })
  }

  @Test func `then results go to stdout and messages to stderr`() throws {
    let version = try shell("\"$T\" --version")
    #expect(version.outText.hasPrefix("trim \(Version.number)\n"))
    #expect(version.err.isEmpty && version.status == 0)
    let usage = try shell("\"$T\" probe --nonsense")
    #expect(usage.out.isEmpty && usage.errText.hasPrefix("Error: ") && usage.status == 64)
  }

  @Test func `then a name that is not valid text arrives byte for byte`() throws {
    let name: [UInt8] = [0x2f, 0x66, 0xfc, 0x72, 0x0a, 0x9b]
    let run = try shell("\"$T\" probe --jsonl -- \"$1\"", [name])
    #expect(run.outText.contains("\"path_b64\":\"\(Base64.encode(name))\""))
    #expect(run.status == 66)
  }

  @Test func `then a list on standard input may contain any names`() throws {
    let run = try shell(#"printf '/a\nb\000/c\000' | "$T" probe --jsonl --files-from - -0"#)
    let paths = run.outText.split(separator: "\n").map { $0.contains(#""path":"/a\nb""#) }
    #expect(paths == [true, false])
    #expect(run.status == 1)
  }

  @Test func `then a reader that closes the pipe ends it quietly`() throws {
    let run = try shell(
      #"{ yes /nowhere | head -20000; } 2>/dev/null | { "$T" probe --jsonl --files-from -; echo "$?" >&2; } | head -1"#
    )
    #expect(run.outText.split(separator: "\n").count == 1)
    #expect(run.errText == "141\n")
  }

  @Test(.enabled(if: (try? Program.shell("test -c /dev/full").status) == 0))
  func `then a result that cannot be written is not a success`() throws {
    let run = try shell("\"$T\" help >/dev/full")
    #expect(run.status == 74)
    #expect(run.errText.contains("could not be written"))
  }

  @Test(arguments: [("INT", 130, "trim: interrupted\n"), ("TERM", 143, "trim: terminated\n")])
  func `then it responds to a signal at once`(
    _ signal: String, _ status: Int32, _ message: String
  ) throws {
    // The list is a pipe that stays open: the tool has opened it once the writer's open returns.
    let folder = try TemporaryFolder()
    let run = try shell(
      """
      mkfifo "$1"
      env --default-signal "$T" probe --files-from "$1" & process=$!
      exec 3>"$1"; kill -\(signal) $process; wait $process; echo $?
      """, [Array(folder.path(of: "list").utf8)])
    #expect(run.outText.split(separator: "\n").last == "\(status)"[...])
    #expect(run.errText.contains(message))
  }

  @Test func `then a signal that the parent ignores stays ignored`() throws {
    let run = try shell(
      "trap '' INT; (kill -INT $$; exec \"$T\" probe --jsonl /nowhere)")
    #expect(run.status == 66)
  }

  @Test(arguments: [
    ["LC_ALL": "C"], ["LC_ALL": "de_DE.UTF-8"], ["TZ": "Asia/Tokyo"], ["COLUMNS": "1"],
    ["TERM": "dumb"], ["NO_COLOR": "1"], ["FORCE_COLOR": "1"], ["HOME": "/nonexistent"],
  ])
  func `then the environment changes no byte of JSON`(_ environment: [String: String]) throws {
    let command = #""$T" probe --jsonl -j1 /é /b; umask 077; cd /; "$T" probe --jsonl -j2 /é /b"#
    let run = try shell(command, environment: environment)
    let lines = run.outText.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.prefix(2) == lines.suffix(2))
    #expect(lines.first?.contains(#""path":"/é""#) == true)
  }
}
