import Testing

@testable import Cutting

@Suite(.timeLimit(.minutes(1))) struct `Given what it would cost to decode a cut` {
  private static func share(_ total: Int64, of groups: Int) -> Int {
    DecodingBudget(total: total, isFull: false).groups(of: groups).count
  }

  @Test func `then a short cut is decoded completely, and any cut is on request`() {
    #expect(DecodingBudget(total: DecodingBudget.whole, isFull: false).coversAll)
    #expect(!DecodingBudget(total: DecodingBudget.whole + 1, isFull: false).coversAll)
    #expect(DecodingBudget(total: .max / 8, isFull: true).coversAll)
    #expect(Self.share(1, of: 7) == 7)
  }

  @Test func `then a smaller share of longer cuts is decoded`() {
    let shares = (1...20).map { Self.share(Int64($0) * DecodingBudget.whole, of: 60) }
    #expect(shares == shares.sorted(by: >))
    #expect(shares.first == 60)
    #expect(shares[1] == 12)
    #expect(shares.last == 0)
  }

  @Test func `then the decoded stretches are spread over all of it`() {
    let groups = DecodingBudget(total: 2 * DecodingBudget.whole, isFull: false).groups(of: 50)
    #expect(groups.count == 10)
    #expect(groups.first.map { $0 < 5 } == true)
    #expect(groups.last.map { $0 >= 45 } == true)
  }
}
