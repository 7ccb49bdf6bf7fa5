import ExactTime
import Testing

@testable import Probing

@Suite struct `Given a byte count and a duration` {
  @Test(
    arguments: [
      (1000, MediaDuration(8), 1000), (1, MediaDuration(3), 3), (2, MediaDuration(3), 5),
      (1, MediaDuration(15), 1), (1, MediaDuration(17), 0),
      (1 << 50, MediaDuration(1), 1 << 53),
    ] as [(Int64, MediaDuration, Int64)])
  func `then the rate is in bits a second, rounded to nearest`(
    _ bytes: Int64, _ length: MediaDuration, _ rate: Int64
  ) {
    #expect(BitRate.of(bytes: bytes, over: length) == rate)
  }

  @Test(
    arguments: [
      (0, MediaDuration(1)), (-1, MediaDuration(1)), (100, .zero), (100, .zero - MediaDuration(1)),
      (.max, MediaDuration(1)), (1 << 60, MediaDuration(1, 1000)),
    ] as [(Int64, MediaDuration)])
  func `then a zero duration, or a rate beyond 64 bits, has none`(
    _ bytes: Int64, _ length: MediaDuration
  ) {
    #expect(BitRate.of(bytes: bytes, over: length) == nil)
  }
}
