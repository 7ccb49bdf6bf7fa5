import Testing

@testable import Bitstreams

@Suite struct `Given interlaced H.264` {
  /// A configuration with start codes, the first bytes of a sample, and what they mean.
  static let clips: [(name: String, configuration: String, sample: String, order: String)] = [
    (
      "top field first",
      "0164001fffe1001b6764001facd940b424dff802000168800001f4800075300f8b16cb01"
        + "000468fe8fcbfdf8f800",
      "00000005060101328000001248419a225888ffccdc4bd0f05504bc91f7f7f001a796b06d", "tt"
    ),
    (
      "bottom field first, behind the delays of a buffer model",
      "0000016764001eacd940b47b7fe004000362000007d20001d4c0c4c001e848003d094986"
        + "01f14299600000000168fe8fcb",
      "0000000109f0000000010601040010a42080000001419a225888ffdfbd670544c31e0401", "bb"
    ),
  ]

  @Test(arguments: clips)
  func `then the picture timing of its first sample gives the field order`(
    _ name: String, _ configuration: String, _ sample: String, _ order: String
  ) throws {
    let configuration = [UInt8](hexadecimal: configuration)
    let framing = Framing(codec: "h264", configuration: configuration)
    let header = try #require(VideoHeader(codec: "h264", configuration: configuration))
    #expect(header.isProgressive == nil)
    #expect(
      header.fieldOrder(ofFirstSample: [UInt8](hexadecimal: sample)[...], framing: framing) == order
    )
    #expect(header.fieldOrder(ofFirstSample: [], framing: framing) == nil)
  }
}
