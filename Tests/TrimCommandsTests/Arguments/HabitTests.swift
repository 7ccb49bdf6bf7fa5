import CommandLineKit
import Testing

@testable import TrimCommands

@Suite struct `Given a command line as for another program` {
  private func refusal(_ words: String) throws -> String {
    let words = words.split(separator: " ").map { ArgumentText(String($0)) }
    do throws(UsageError) {
      _ = try ArgumentParser(root: CommandTable.root).parse(words)
    } catch {
      return error.message
    }
    throw NotRefused()
  }

  private struct NotRefused: Error {}

  @Test(arguments: [
    ("-ss 5 a.mp4", "-ss", "--from"), ("a.mp4 -to 8", "-to", "--to"), ("a.mp4 -t 3", "-t", "--for"),
    ("-i a.mp4", "-i", "without an option"), ("a.mp4 --start=5", "--start", "--from"),
    ("a.mp4 --duration 3", "--duration", "--for"), ("a.mp4 --end 8", "--end", "--to"),
    ("a.mp4 -c copy", "-c", "--mode copy"), ("a.mp4 -y", "-y", "--force"),
    ("a.mp4 -c:v libx264", "-c:v", "--mode reencode"),
    ("a.mp4 --crf 18", "--crf", "--mode reencode"),
    ("a.mp4 --output-file b.mp4", "--output-file", "-o"),
    ("a.mp4 -b:v 2M", "-b:v", "--mode reencode"),
    ("a.mp4 --copy", "--copy", "--mode copy"), ("a.mp4 -map 0:1", "-map", "--tracks"),
    ("a.mp4 --format mkv", "--format", "-o clip.mkv"), ("a.mp4 -sseof -9", "-sseof", "--from -10"),
  ])
  func `when it is refused, then the right option is named`(
    _ words: String, _ option: String, _ advice: String
  ) throws {
    let message = try refusal("cut " + words)
    #expect(message.hasPrefix("Unknown option '\(option)'."))
    #expect(message.contains(advice))
  }

  @Test func `when the output is the last word, then -o is named`() throws {
    #expect(
      try refusal("cut a.mp4 --from 1 b.mp4")
        == "Unexpected argument 'b.mp4'. The output is named with -o: -o clip-trimmed.mp4.")
  }

  @Test(arguments: ["5", "1:30", "0:05.5"])
  func `when the extra word is a time, then --from and --to are named`(_ time: String) throws {
    #expect(
      try refusal("cut a.mp4 \(time)")
        == "Unexpected argument '\(time)'. A part is named with --from and --to: --from 5 --to 8.")
  }

  @Test(arguments: [
    ("-i a.mp4 -ss 5", "trim cut clip.mp4 --from 5"), ("-ss 5 -i a.mp4 -t 3 b.mp4", "--from"),
    ("a.mp4 --from 5 --to 8", "trim cut a.mp4 --from 5 --to 8"), ("edit a.mp4 -ss 5", "--from"),
    ("edit a.mp4 b.mp4", "-o"), ("play a.mp4 -t 5", "--for"), ("strip a.mp4 --end 5", "--to"),
    ("play a.mp4 -c copy", "It is for 'trim cut'"), ("studio a.mp4 -ss 5", "It is for 'trim cut'"),
  ])
  func `when it is for another command or none, then the right option is named`(
    _ words: String, _ advice: String
  ) throws {
    #expect(try refusal(words).contains(advice))
  }

  @Test func `when advice names an option, then the command has it`() throws {
    for command in CommandTable.root.subcommands {
      let known = Set(command.options.flatMap(\.longNames).map { "--" + $0 })
      for advice in CommandTable.habits.keys.compactMap(command.habit)
      where !advice.hasPrefix("It is for 'trim cut'") {
        for word in advice.split(whereSeparator: { " :;,.()".contains($0) })
        where word.hasPrefix("--") {
          #expect(known.contains(String(word)), "\(command.name): \(word)")
        }
      }
    }
    let cut = try #require(CommandTable.root.subcommand("cut"))
    #expect(CommandTable.habits.keys.allSatisfy { cut.habit($0)?.hasPrefix("It is for") == false })
  }
}
