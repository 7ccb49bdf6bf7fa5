import Testing

@testable import ISOMedia
@testable import Probing

@Suite struct `Given a QuickTime timecode track` {
  @Test(
    arguments: [
      ("25 frames a second", 0, 2500, 100, 25, 90_000, "01:00:00:00"),
      ("29.97 without dropping", 0, 30000, 1001, 30, 1800, "00:01:00:00"),
      ("29.97, dropping", 1, 30000, 1001, 30, 1800, "00:01:00;02"),
      ("29.97 written as 2997 over 100", 1, 2997, 100, 30, 1800, "00:01:00;02"),
      ("30 that claims to drop", 1, 30, 1, 30, 1800, "00:01:00;02"),
      ("59.94, dropping", 1, 60000, 1001, 60, 3600, "00:01:00;04"),
      ("before midnight", 0, 24, 1, 24, -1, "23:59:59:23"),
    ] as [(String, UInt32, UInt32, UInt32, UInt8, Int64, String)])
  func `then its first frame has a label`(
    _ name: String, _ flags: UInt32, _ timescale: UInt32, _ duration: UInt32, _ rate: UInt8,
    _ frame: Int64, _ label: String
  ) {
    let timecode = ISOTimecode(
      flags: flags, timescale: timescale, frameDuration: duration, framesPerSecond: rate,
      startFrame: frame)
    #expect(ISOTimecodes.label(timecode) == label)
  }

  @Test(
    arguments: [
      ("no sample", 25, 1, 25, nil), ("no rate", 0, 1, 0, 10), ("no frame duration", 25, 0, 25, 10),
      ("a rate that no timecode has", 1_000_000, 1, 255, 10),
    ] as [(String, UInt32, UInt32, UInt8, Int64?)])
  func `then without a rate or a sample there is no label`(
    _ name: String, _ timescale: UInt32, _ duration: UInt32, _ rate: UInt8, _ frame: Int64?
  ) {
    let timecode = ISOTimecode(
      flags: 0, timescale: timescale, frameDuration: duration, framesPerSecond: rate,
      startFrame: frame)
    #expect(ISOTimecodes.label(timecode) == nil)
  }
}
