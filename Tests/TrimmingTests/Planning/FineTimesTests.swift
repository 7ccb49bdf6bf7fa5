import ExactTime
import Foundation
import Testing
import Trimming

/// 0.1 + 0.2 is printed as 0.30000000000000004 by programs that count in floating point.
@Suite struct `Given a part whose boundaries have more digits than any clock` {
  private static let fine = MediaTimeRange(
    from: MediaTime(seconds: Rational(30_000_000_000_000_004, 100_000_000_000_000_000)),
    to: MediaTime(seconds: Rational(17_999_999_999_999_998, 10_000_000_000_000_000)))
  private static let meant = MediaTimeRange(from: MediaTime(3, 10), to: MediaTime(9, 5))

  @Test func `when it is made, changed or decoded then they are rounded to the nearest nanosecond`()
    throws
  {
    let fine = try #require(Self.fine)
    #expect(CutRequest.Part(range: fine).range == Self.meant)
    var part = CutRequest.Part(range: try #require(MediaTimeRange(from: .zero, to: MediaTime(1))))
    part.range = fine
    #expect(part.range == Self.meant)
    let json = try JSONEncoder().encode(["range": fine])
    var fields = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    fields["source"] = 2
    let read = try JSONDecoder().decode(
      CutRequest.Part.self, from: JSONSerialization.data(withJSONObject: fields))
    #expect(read.source == 2)
    #expect(read.range == Self.meant)
  }

  @Test func `when it is written and read then it is unchanged`() throws {
    let part = CutRequest.Part(source: 1, range: try #require(Self.meant))
    let read = try JSONDecoder().decode(
      CutRequest.Part.self, from: JSONEncoder().encode(part))
    #expect(read == part)
  }

  /// Media times are fractions that are not decimal.
  @Test func `when a fraction comes from media then it is kept`() throws {
    let third = MediaTime(seconds: Rational(10_000_000_000, 3 * 9_999_999_999))
    let range = try #require(MediaTimeRange(from: third, to: MediaTime(9)))
    #expect(CutRequest.Part(range: range).range == range)
  }
}
