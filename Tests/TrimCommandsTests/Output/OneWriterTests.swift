import Testing

@testable import TrimCommands

@Suite struct `Given all source files` {
  @Test func `then only its one writer writes to a stream`() throws {
    let sources = try Repository.sources()
    #expect(sources.count > 50, "the sources were found")
    let calls = ["print(", "debugPrint(", "dump(", "puts(", "printf(", "fputs("]
    for (path, text) in sources where calls.contains(where: { text.contains($0) }) {
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { continue }
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "(") }
        let prints = words.contains { word in
          calls.contains { word.hasPrefix($0) }
        }
        #expect(!prints, "\(path):\(number + 1) prints past the output stream")
      }
    }
  }
}
