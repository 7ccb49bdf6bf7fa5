import ExactTime
import Testing
import Trimming

@Suite struct `Given ranges in which something was found` {
  private static let part = range(10, 100)

  @Test func `when they are removed then margins stay, but not beyond the part`() throws {
    let found = [range(90, 120), range(20, 30), range(25, 40), range(0, 12), range(50, 51)]
    #expect(
      try FoundRanges.removals(found, of: Self.part, margin: MediaDuration(1)) == [
        range(10, 11), range(21, 39), range(91, 100),
      ])
    // 1 s is kept between two findings, and 3 s with their margins.
    let close = [range(20, 30), range(31, 40)]
    #expect(
      try FoundRanges.removals(
        close, of: Self.part, margin: MediaDuration(1), leastKept: MediaDuration(3))
        == [range(21, 29), range(32, 39)])
    #expect(
      try FoundRanges.removals(
        close, of: Self.part, margin: MediaDuration(1), leastKept: MediaDuration(4))
        == [range(21, 39)])
    #expect(
      try FoundRanges.removals([range(20, 30)], of: Self.part, margin: MediaDuration(-5))
        == [range(20, 30)], "what was not found stays")
  }

  @Test func `when they separate then in the middle, or at a frame behind it`() throws {
    let found = range(20, 30)
    #expect(try FoundRanges.seam(in: found) { _ in nil } == at(25))
    #expect(try FoundRanges.seam(in: found) { _ in at(26) } == at(26))
    #expect(try FoundRanges.seam(in: found) { _ in at(30) } == at(25))
    #expect(
      FoundRanges.pieces(of: Self.part, at: [at(5), at(10), at(26), at(90), at(100)]) == [
        range(10, 26), range(26, 90), range(90, 100),
      ])
    let long = FoundRanges.pieces(of: Self.part, at: [at(26), at(90)]) { piece in
      (try? piece.checkedLength()).map { $0 > MediaDuration(12) } ?? false
    }
    #expect(long == [range(10, 26), range(26, 100)])
  }
}
