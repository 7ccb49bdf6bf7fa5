import EditLists
import ExactTime
import Testing

@Suite struct `Given sets of ranges` {
  @Test func `When ranges overlap, touch, are empty or unordered, Then they are united in order`() {
    let set = ranges((50, 60), (10, 20), (20, 30), (25, 27), (40, 40))
    #expect(set.ranges == [range(10, 30), range(50, 60)])
  }

  @Test func `When a part is removed, Then what is before and after it remains, half-open`() {
    #expect(ranges((10, 20)).complement(within: range(0, 30)) == ranges((0, 10), (20, 30)))
    #expect(ranges((0, 20)).complement(within: range(5, 30)) == ranges((20, 30)))
    #expect(ranges((0, 40)).complement(within: range(5, 30)).isEmpty)
    #expect(ranges((30, 40), (0, 5)).complement(within: range(5, 30)) == ranges((5, 30)))
  }

  @Test func `When sets are combined, Then each instant is where the rule of sets has it`() throws {
    // All sets of six cells, against bits.
    func set(_ bits: Int) -> RangeSet {
      var cells: [MediaTimeRange] = []
      for bit: Int64 in 0..<6 where bits & (1 << bit) != 0 { cells.append(range(bit, bit + 1)) }
      return RangeSet(cells)
    }
    let sets = (0..<64).map(set)
    var wrong: [String] = []
    for a in 0..<64 {
      if sets[a].complement(within: range(0, 6)) != sets[~a & 63] { wrong.append("not \(a)") }
      for b in 0..<64 {
        if sets[a].union(sets[b]) != sets[a | b] { wrong.append("\(a) or \(b)") }
        if sets[a].intersection(sets[b]) != sets[a & b] { wrong.append("\(a) and \(b)") }
        if sets[a].subtracting(sets[b]) != sets[a & ~b] { wrong.append("\(a) without \(b)") }
      }
    }
    #expect(wrong.isEmpty)
    #expect(try sets[0b101101].checkedLength() == MediaDuration(4, 1000))
  }
}
