import Bitstreams
import Testing

/// DivX writes a one-byte chunk into AVI where it drops a picture.
@Suite struct `Given MPEG-4 in AVI with a single byte in place of a picture` {
  @Test func `then it shows nothing, and the pictures around it keep their times`() {
    var clock = PictureClock(format: "avi", codec: "mpeg4", configuration: [])
    // vop_start_code; I and P, coded (ISO 14496-2, 6.2.5).
    let (intra, predicted): ([UInt8], [UInt8]) = (
      [0, 0, 1, 0xB6, 0x17, 0, 0], [0, 0, 1, 0xB6, 0x57, 0, 0]
    )
    #expect(clock?.add(intra, instant: 0, duration: 1) == intra)
    #expect(clock?.add([0x7F], instant: 1, duration: 1) == nil)
    #expect(clock?.add(predicted, instant: 2, duration: 1) == predicted)
    #expect(clock?.add(predicted, instant: 3, duration: 1) == predicted)
    #expect(clock?.isLost == false)
    // A decoder of reordered pictures has a delay of one.
    let times = clock?.times(delay: 1)
    #expect(times.map { Array($0.pts) } == [2, 3, 4])
  }
}
