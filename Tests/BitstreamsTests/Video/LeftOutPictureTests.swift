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

@Suite struct `Given MPEG-4 whose container states only decoding times` {
  // vop_start_code; I, P and B, coded (ISO 14496-2, 6.2.5).
  private let intra: [UInt8] = [0, 0, 1, 0xB6, 0x17, 0, 0]
  private let predicted: [UInt8] = [0, 0, 1, 0xB6, 0x57, 0, 0]
  private let between: [UInt8] = [0, 0, 1, 0xB6, 0x97, 0, 0]

  private func times(_ format: String, _ instants: [Int64], reorders: Bool = true) -> [Int64]? {
    var clock = PictureClock(format: format, codec: "mpeg4", configuration: [])
    for (number, instant) in instants.enumerated() {
      let picture = number == 0 ? intra : !reorders || number % 3 == 1 ? predicted : between
      _ = clock?.add(picture, instant: instant, duration: 40)
    }
    return clock?.times(delay: 1).map { Array($0.pts) }
  }

  @Test func `when one time is damaged in ASF then those around it correct it`() {
    let right: [Int64] = [0, 40, 80, 120, 160, 200, 240]
    #expect(times("asf", right) == [40, 160, 80, 120, 280, 200, 240])
    for wrong in [8, 210, 9000] as [Int64] {
      #expect(times("asf", [0, 40, 80, 120, wrong, 200, 240]) == times("asf", right), "\(wrong)")
    }
    #expect(times("asf", [0, 40, 80, 120, 8, 16, 240]) == nil)
  }

  @Test func `when times contradict each other in Ogg then pictures are counted`() {
    let stated: [Int64] = [40, 120, 200, 200, 240, 280, 320, 360, 320]
    #expect(times("ogg", stated) == [40, 160, 80, 120, 280, 200, 240, 360, 320])
  }

  @Test
  func `when nothing is reordered in Ogg, or packets are missing, then times are used as they are`()
  {
    #expect(times("ogg", [0, 40, 80, 120], reorders: false) == nil)
    #expect(times("ogg", [0, 40, 80, 120, 160, 200, 240, 280, 320, 400, 440]) == nil)
  }

  @Test func `when AVI has most packets two slots apart then so are the last pictures`() {
    let slots: [Int64] = [0, 2, 4, 8, 10, 12, 14]
    #expect(times("avi", slots) == [2, 10, 4, 8, 16, 12, 14])
    #expect(times("avi", [0, 1, 3, 4, 6, 7, 9]) == [1, 6, 3, 4, 49, 7, 9])
  }
}
