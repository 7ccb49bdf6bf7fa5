import Testing

@testable import Bitstreams

@Suite struct `Given a frame of Motion JPEG` {
  /// An application segment with one fill byte, then the frame header.
  static func frame(marker: UInt8 = 0xC0, sampling: [UInt8]) -> [UInt8] {
    let count = UInt8(sampling.count)
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, marker]
    bytes += [0, 8 + 3 * count, 8, 0x01, 0x20, 0x01, 0x60, count]
    for (index, factors) in sampling.enumerated() { bytes += [UInt8(index + 1), factors, 0] }
    return bytes
  }

  @Test(
    arguments: [
      ([0x22, 0x11, 0x11], "yuvj420p"), ([0x21, 0x11, 0x11], "yuvj422p"),
      ([0x22, 0x12, 0x12], "yuvj422p"), ([0x11, 0x11, 0x11], "yuvj444p"), ([0x11], "gray"),
      ([0x41, 0x11, 0x11], nil),
    ] as [([UInt8], String?)])
  func `then its header gives size, format and range`(_ sampling: [UInt8], _ format: String?) {
    let sample = Self.frame(sampling: sampling)
    let header = VideoHeader(codec: "mjpeg", firstSample: sample[...], framing: .annexB)
    #expect(header?.profile == "Baseline")
    #expect(header?.width == 352)
    #expect(header?.height == 288)
    #expect(header?.isFullRange == true)
    #expect(header?.pixelFormat == format)
    for count in sample.indices {
      #expect(VideoHeader(jpeg: sample[..<count])?.pixelFormat == nil)
    }
  }

  @Test func `when the frame is progressive then its profile says so`() {
    let sample = Self.frame(marker: 0xC2, sampling: [0x11])
    #expect(VideoHeader(jpeg: sample[...])?.profile == "Progressive")
  }

  @Test func `when there is no frame header then nothing is reported`() {
    #expect(VideoHeader(jpeg: [0xFF, 0xD8, 0xFF, 0xDA, 0, 4, 0, 0]) == nil)
    #expect(VideoHeader(jpeg: [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0]) == nil)
    #expect(VideoHeader(jpeg: [0, 1, 2, 3]) == nil)
  }
}
