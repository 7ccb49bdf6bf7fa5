import FoundationEssentials
import Testing

@Suite struct `Given the documented notes of a probe` {
  /// Words with hyphens that are not notes: FFmpeg's names of colour matrices.
  private static let others: Set<String> = ["chroma-derived-c", "chroma-derived-nc"]

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
    var written: Set<String> = []
    for source in try Repository.sources() where source.path.hasPrefix("Probing/") {
      written.formUnion(
        source.text.matches(of: /"([a-z]+(?:-[a-z]+)+|encrypted|scrambled)"/).map { String($0.1) })
    }
    #expect(try documented() == written.subtracting(Self.others).sorted())
  }
}
