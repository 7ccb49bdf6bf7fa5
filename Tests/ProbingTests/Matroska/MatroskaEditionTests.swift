import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Given Matroska with editions` {
  private struct Atom {
    var from: UInt64
    var to: UInt64
    var isEnabled = true
  }

  private func edition(_ atoms: [Atom], ordered: Bool, standard: Bool = true) -> [UInt8] {
    let parts = atoms.enumerated().map { number, atom in
      EBMLBuilder.element(
        0xB6,
        EBMLBuilder.number(0x73C4, UInt64(number + 1))
          + EBMLBuilder.number(0x91, atom.from * 1_000_000)
          + EBMLBuilder.number(0x92, atom.to * 1_000_000)
          + EBMLBuilder.number(0x4598, atom.isEnabled ? 1 : 0))
    }
    return EBMLBuilder.element(
      0x45B9,
      EBMLBuilder.number(0x45DB, standard ? 1 : 0) + EBMLBuilder.number(0x45DD, ordered ? 1 : 0)
        + parts.joined())
  }

  private func notes(_ editions: [UInt8]) throws -> [Note] {
    let folder = try ScratchFolder()
    let path = try folder.write(
      EBMLBuilder.clip(tags: [], inSegment: EBMLBuilder.element(0x1043_A770, editions)),
      to: "clip.mkv")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets)
    ).notes.filter { [.orderedEdition, .chaptersDisabled].contains($0.id) }
  }

  @Test func `when it is ordered then both lengths are noted`() throws {
    let notes = try notes(
      edition([Atom(from: 8000, to: 10_000), Atom(from: 2000, to: 5000)], ordered: true))
    #expect(notes.map(\.id) == [.orderedEdition])
    #expect(notes.first?.text.contains("2 chapters, in its order, 5 s in all") == true)
  }

  @Test func `when a repeated or disabled chapter is in it then that counts`() throws {
    let repeated = Atom(from: 1000, to: 2500)
    let notes = try notes(
      edition([repeated, repeated, Atom(from: 0, to: 9000, isEnabled: false)], ordered: true))
    #expect(notes.first?.text.contains("2 chapters, in its order, 3 s in all") == true)
  }

  @Test func `when a chapter is disabled then it is noted`() throws {
    let notes = try notes(
      edition([Atom(from: 0, to: 10), Atom(from: 10, to: 20, isEnabled: false)], ordered: false))
    #expect(notes.map(\.id) == [.chaptersDisabled])
  }

  @Test func `when another edition is played, or none is unusual, then nothing is noted`() throws {
    let plain = edition([Atom(from: 0, to: 10)], ordered: false)
    let ordered = edition([Atom(from: 0, to: 10)], ordered: true, standard: false)
    #expect(try notes(plain).isEmpty)
    #expect(try notes(ordered + plain).isEmpty)
  }

  @Test
  func `when chapters are nested then the inner ones are played, and not those of a disabled one`()
    throws
  {
    func atom(_ from: UInt64, _ to: UInt64, _ inner: [UInt8] = [], isEnabled: Bool = true)
      -> [UInt8]
    {
      EBMLBuilder.element(
        0xB6,
        EBMLBuilder.number(0x91, from * 1_000_000_000)
          + EBMLBuilder.number(0x92, to * 1_000_000_000)
          + EBMLBuilder.number(0x4598, isEnabled ? 1 : 0) + inner)
    }
    let edition = EBMLBuilder.element(
      0x45B9,
      EBMLBuilder.number(0x45DD, 1) + atom(0, 9, atom(1, 3) + atom(5, 6))
        + atom(6, 8, atom(6, 7), isEnabled: false))
    let text = try notes(edition).first?.text ?? ""
    #expect(text.contains("2 chapters, in its order, 3 s in all"))
  }

  @Test(.enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)))
  func `then the reported clip presents its edition, and has both lengths`() throws {
    let path = Cases.path("mkv-ordered-chapters/ordered.mkv")
    let facts = try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions())
    #expect(facts.durations.presented?.length == MediaDuration(5))
    let text = facts.notes.first { $0.id == .orderedEdition }?.text ?? ""
    #expect(text.contains("5 s in all") && text.contains("other players show 12 s"))
  }
}
