/// Which fragments of a file are read, of those that an index names: those at both ends, and some between them.
struct FragmentWalk {
  let index: FragmentIndex
  /// Those that are still to come; the last of them are those at the end.
  private var parts: [ISOFragmentPart]
  /// Up to where the present ones go.
  private var end = Int64.max
  /// What is left out.
  private(set) var gaps: [Range<Int64>] = []
  /// Whether no fragment begins where the index says.
  var isContradicted = false

  /// - Parameter parts: those between both ends.
  /// - Returns: `nil` for an index of nothing.
  init?(_ index: FragmentIndex?, _ parts: [ISOFragmentPart]) {
    guard let index, let last = index.last else { return nil }
    self.index = index
    // The first ones of a track may follow those of another.
    let firsts = Set(index.entries.values.compactMap { $0.first?.section.lowerBound })
    self.parts =
      (parts + firsts.map { ISOFragmentPart(start: $0, mediaEnd: $0, end: $0) })
      .sorted { $0.start < $1.start } + [ISOFragmentPart(start: last, mediaEnd: last, end: .max)]
  }

  /// What is read next from an offset on; `nil` at the end.
  mutating func leave(at offset: Int64) -> ISOFragmentPart? {
    parts.removeAll { $0.end < offset }
    guard var next = parts.first else { return nil }
    parts.removeFirst()
    end = next.end
    if next.start > offset { gaps.append(offset..<next.start) }
    next.start = max(next.start, offset)
    return next
  }

  /// Whether a box is the last one that is read before something is left out.
  func isLeft(behind box: ISOMovie.TopLevelBox) -> Bool {
    box.type == "moof" && box.offset >= end
  }

  /// Whether all of a range was read.
  func holds(_ range: Range<Int64>) -> Bool { !gaps.contains { $0.overlaps(range) } }

  /// In which of the parts that were read a place is, from 0.
  func part(at place: Int64) -> Int { gaps.count { $0.upperBound <= place } }

  /// What a fragment may begin with where an index leads to it.
  static let openings: Set<FourCC> = [
    "moof", "styp", "sidx", "ssix", "emsg", "prft", "free", "skip", "uuid",
  ]
}
