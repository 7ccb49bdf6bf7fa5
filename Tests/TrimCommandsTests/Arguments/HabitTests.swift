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

  @Test func `when advice names an option, then the command has it`() {
    let known = Set(CommandTable.cut.options.flatMap(\.longNames).map { "--" + $0 })
    for advice in CommandTable.habits.values {
      for word in advice.split(whereSeparator: { " :,.()".contains($0) }) where word.hasPrefix("--")
      {
        #expect(known.contains(String(word)), "\(word)")
      }
    }
  }
}
