import FoundationEssentials
import MediaFacts
import Testing

@Suite struct `Given the documented notes of a probe` {
  /// Identifiers in the first column of the table.
  private func documented() throws -> [String] {
    let path = Repository.root.appending(path: "Documentation/Probing.md")
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    let rows = text.split(separator: "## Notes").last?.split(separator: "\n") ?? []
    return rows.filter { $0.hasPrefix("| `") }.map {
      String($0.dropFirst(3).prefix { $0 != "`" })
    }
  }

  @Test func `then they match those in the code, each once and in order`() throws {
    #expect(try documented() == Note.ID.allCases.map(\.rawValue))
  }
}
