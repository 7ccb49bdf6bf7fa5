import ExactTime
import MediaFacts
package import MediaFiles

/// What the editions of a Matroska file state about its playback, which the chapters as listed do
/// not show: an ordered edition plays only its chapters, in its own order, and a disabled chapter
/// is skipped (RFC 9559, 5.1.7 and 20.1).
package struct MatroskaEditions {
  private struct Atom {
    var start: UInt64 = 0
    var end: UInt64?
    var isEnabled = true
    /// The file that it plays a part of; `nil` for this one.
    var segment: [UInt8]?
    var isLinked: Bool { segment != nil }
    var title: String?
    var nested: [Atom] = []

    /// What is played: where chapters are nested, those without others inside (RFC 9559, 5.1.7.1.4.4);
    /// those of a disabled one are disabled too.
    var leaves: [Atom] {
      guard isEnabled, !nested.isEmpty else { return [self] }
      return nested.flatMap(\.leaves)
    }
  }

  private struct Edition {
    var isDefault = false
    var isHidden = false
    var isOrdered = false
    var atoms: [Atom] = []

    var played: [Atom] { atoms.flatMap(\.leaves).filter(\.isEnabled) }
  }

  private var editions: [Edition] = []

  private static let segment: UInt32 = 0x1853_8067
  private static let info: UInt32 = 0x1549_A966
  private static let cluster: UInt32 = 0x1F43_B675
  private static let chapters: UInt32 = 0x1043_A770
  private static let seekHead: UInt32 = 0x114D_9B74
  /// How many elements before the first cluster are examined, and how large chapters may be.
  private static let most = 100
  private static let mostBytes = 4 << 20
  private static let mostAtoms = 10_000
  private static let mostDepth = 8
  /// An edition of more chapters is not followed.
  private static let mostPlayed = 500

  /// - Returns: `nil` where no edition changes the playback.
  package init?(_ file: InputFile) {
    guard file.isSeekable, let (bytes, own) = Self.chapters(of: file) else { return nil }
    for element in EBMLElements(bytes[...]) where element.id == 0x45B9 {
      add(element.content, segment: own)
    }
    guard
      editions.contains(where: { edition in
        edition.isOrdered || edition.atoms.contains { !$0.isEnabled }
      })
    else { return nil }
  }

  /// The contents of the element Chapters, before the first cluster or where SeekHead states it, and the file's
  /// SegmentUUID.
  private static func chapters(of file: InputFile) -> (content: [UInt8], segment: [UInt8]?)? {
    guard let head = element(in: file, at: 0),
      let segment = element(in: file, at: head.body &+ (head.size ?? 0)), segment.id == Self.segment
    else { return nil }
    var place = segment.body
    var listed: Int64?
    var own: [UInt8]?
    for _ in 0..<most {
      guard let next = element(in: file, at: place), next.id != cluster else { break }
      if next.id == chapters { return (content(of: next, in: file), own) }
      if next.id == info {
        own = EBMLElements(content(of: next, in: file)[...]).first { $0.id == 0x73A4 }.map {
          Array($0.content)
        }
      }
      if next.id == seekHead {
        for seek in EBMLElements(content(of: next, in: file)[...]) where seek.id == 0x4DBB {
          let parts = EBMLElements(seek.content)
          if parts.first(where: { $0.id == 0x53AB })?.number == UInt64(chapters) {
            listed = parts.first { $0.id == 0x53AC }.flatMap { Int64(exactly: $0.number) }
          }
        }
      }
      let (end, overflow) = next.body.addingReportingOverflow(next.size ?? .max)
      guard !overflow else { break }
      place = end
    }
    guard let listed, case (let place, let overflow) = segment.body.addingReportingOverflow(listed),
      !overflow, let found = element(in: file, at: place), found.id == chapters
    else { return nil }
    return (content(of: found, in: file), own)
  }

  private static func element(
    in file: InputFile, at place: Int64
  ) -> (id: UInt32, body: Int64, size: Int64?)? {
    let (end, overflow) = place.addingReportingOverflow(12)
    guard place >= 0, !overflow else { return nil }
    guard let head = EBML.head(bytes(of: file, in: place..<end, atMost: 12)) else { return nil }
    return (head.id, place + Int64(head.length), head.size)
  }

  private static func content(
    of element: (id: UInt32, body: Int64, size: Int64?), in file: InputFile
  ) -> [UInt8] {
    guard let size = element.size, size <= Int64(mostBytes) else { return [] }
    let (end, overflow) = element.body.addingReportingOverflow(size)
    return overflow ? [] : bytes(of: file, in: element.body..<end, atMost: mostBytes)
  }

  /// Most files have all of it in their first bytes, which were read for other reasons.
  private static func bytes(of file: InputFile, in range: Range<Int64>, atMost limit: Int)
    -> [UInt8]
  {
    let head = file.head
    guard range.upperBound <= head.count, range.count <= limit else {
      return file.bytes(in: range, atMost: limit)
    }
    return Array(head[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  private mutating func add(_ content: ArraySlice<UInt8>, segment own: [UInt8]?) {
    var edition = Edition()
    for element in EBMLElements(content) {
      switch element.id {
      case 0x45BD: edition.isHidden = element.number == 1
      case 0x45DB: edition.isDefault = element.number == 1
      case 0x45DD: edition.isOrdered = element.number == 1
      case 0xB6 where edition.atoms.count < Self.mostAtoms:
        edition.atoms.append(Self.atom(element.content, in: own))
      default: break
      }
    }
    editions.append(edition)
  }

  private static func atom(
    _ content: ArraySlice<UInt8>, in own: [UInt8]?, depth: Int = 0
  ) -> Atom {
    var atom = Atom()
    for element in EBMLElements(content) {
      switch element.id {
      case 0x91: atom.start = element.number
      case 0x92: atom.end = element.number
      case 0x4598: atom.isEnabled = element.number != 0
      case 0x6E67: atom.segment = Array(element.content)
      case 0x80 where atom.title == nil:
        let text = EBMLElements(element.content).first { $0.id == 0x85 }
        atom.title = text.map { String(decoding: $0.content, as: UTF8.self) }
      case 0xB6 where depth < mostDepth && atom.nested.count < mostAtoms:
        atom.nested.append(Self.atom(element.content, in: own, depth: depth + 1))
      default: break
      }
    }
    if atom.segment == own { atom.segment = nil }
    return atom
  }
}

extension MatroskaEditions {
  /// The edition that players choose: the first default one that is not hidden, else the first that is not
  /// (RFC 9559, 20.1.2).
  private var chosen: Edition? {
    let visible = editions.filter { !$0.isHidden }
    return visible.first(where: \.isDefault) ?? visible.first ?? editions.first
  }

  /// What an ordered edition plays.
  ///
  /// - Parameter presented: what all of the media presents.
  /// - Returns: `nil` where all of the media is played once, or where a chapter is in another file or states no
  ///   end.
  func ordered(presented: MediaTimeRange) -> EditionFacts? {
    guard let edition = chosen, edition.isOrdered, edition.played.count <= Self.mostPlayed else {
      return nil
    }
    var chapters: [EditionFacts.Chapter] = []
    for atom in edition.played {
      guard !atom.isLinked, let length = Self.length(atom), let start = Int64(exactly: atom.start),
        let range = try? MediaTimeRange(from: MediaTime(start, 1_000_000_000), length: length)
      else { return nil }
      if let played = range.intersection(presented) {
        chapters.append(EditionFacts.Chapter(media: played, title: atom.title))
      }
    }
    guard let followed = try? EditionFacts(chapters, from: presented.start),
      followed.pieces.map(\.media) != [presented]
    else { return nil }
    return followed
  }

  /// Whether an ordered edition plays chapters of other files.
  package var isLinked: Bool {
    chosen.map { $0.isOrdered && $0.played.contains(where: \.isLinked) } ?? false
  }

  /// - Parameter fact: what the whole file presents.
  func notes(presented fact: DurationFact?) -> [Note] {
    guard let edition = chosen else { return [] }
    let presented = fact?.length
    let all = presented.map { "; other players show \(Disagreements.text($0))" } ?? ""
    if edition.isOrdered {
      let whole = fact.flatMap { fact in
        fact.start.flatMap { start in fact.end.flatMap { MediaTimeRange(from: start, to: $0) } }
      }
      let played = edition.played
      let linked = played.count(where: \.isLinked)
      let length = Self.sum(played.filter { !$0.isLinked })
      return [
        Note(
          .orderedEdition,
          "The edition is ordered: players that follow it show only its "
            + (played.count == 1 ? "chapter" : "\(played.count) chapters, in its order")
            + (length.map { ", \(Disagreements.text($0)) in all" } ?? "")
            + (linked > 0 ? " and \(linked) in other files" : "") + all
            + (linked > 0 ? ". Other files are not opened" : "")
            + (whole.flatMap { ordered(presented: $0) } == nil
              ? ". Times count from the start of the file here."
              : ". Times count along the edition here."))
      ]
    }
    let disabled = edition.atoms.filter { !$0.isEnabled && !$0.isLinked }
    guard !disabled.isEmpty else { return [] }
    let skipped = Self.covered(disabled, presented)
    let left = presented.flatMap { whole in skipped.flatMap { try? whole.subtracting($0) } }
    return [
      Note(
        .chaptersDisabled,
        (disabled.count == 1
          ? "One chapter is disabled" : "\(disabled.count) chapters are disabled")
          + ": players that skip " + (disabled.count == 1 ? "it" : "them") + " show "
          + (left.map { Disagreements.text($0) } ?? "less") + all + ".")
    ]
  }

  /// Chapters count in nanoseconds (RFC 9559, 5.1.7.1.4.3).
  private static func length(_ atom: Atom) -> MediaDuration? {
    guard let end = atom.end, end >= atom.start, let length = Int64(exactly: end - atom.start)
    else { return nil }
    return MediaDuration(length, 1_000_000_000)
  }

  /// `nil` where a chapter states no end.
  private static func sum(_ atoms: [Atom]) -> MediaDuration? {
    atoms.reduce(MediaDuration?.some(.zero)) { sum, atom in
      sum.flatMap { sum in length(atom).flatMap { try? sum.adding($0) } }
    }
  }

  /// How much of what is presented chapters cover, each part counted once.
  private static func covered(_ atoms: [Atom], _ presented: MediaDuration?) -> MediaDuration? {
    var covered: UInt64 = 0
    var place: UInt64 = 0
    for atom in atoms.sorted(by: { $0.start < $1.start }) {
      guard let end = atom.end else { return nil }
      if end > max(place, atom.start) { covered += end - max(place, atom.start) }
      place = max(place, end)
    }
    guard let nanoseconds = Int64(exactly: covered) else { return nil }
    let length = MediaDuration(nanoseconds, 1_000_000_000)
    return presented.map { min($0, length) } ?? length
  }
}
