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
      RangeSet((0..<6).filter { bits >> $0 & 1 == 1 }.map { range(Int64($0), Int64($0) + 1) })
    }
    for a in 0..<64 {
      #expect(set(a).complement(within: range(0, 6)) == set(~a & 63))
      for b in 0..<64 {
        #expect(set(a).union(set(b)) == set(a | b))
        #expect(set(a).intersection(set(b)) == set(a & b))
        #expect(set(a).subtracting(set(b)) == set(a & ~b))
      }
    }
    #expect(try set(0b101101).checkedLength() == MediaDuration(4, 1000))
  }
}
