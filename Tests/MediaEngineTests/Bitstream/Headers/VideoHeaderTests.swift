import Testing

@testable import MediaEngine

@Suite struct `Given the codec configuration of a real film` {
  @Test(arguments: CodedHeaderCase.all)
  func `then its header says what ffprobe says`(_ known: CodedHeaderCase) throws {
    var stream = try #require(
      VideoBitstream(codec: known.codec, configuration: known.configuration))
    let picture = stream.picture(in: known.sample)
    var header = try #require(stream.header)
    header.fieldOrder = header.fieldOrder ?? picture?.fieldOrder
    let expected = known.expected
    #expect(header.profile == expected.profile)
    #expect(header.level == expected.level)
    #expect(header.width == expected.width)
    #expect(header.height == expected.height)
    #expect(header.sampleAspectRatio == expected.sampleAspectRatio)
    #expect(header.pixelFormat == expected.pixelFormat)
    #expect(header.colorPrimaries == expected.colorPrimaries)
    #expect(header.colorTransfer == expected.colorTransfer)
    #expect(header.colorMatrix == expected.colorMatrix)
    #expect(header.colorRange == expected.colorRange)
    #expect(header.fieldOrder == expected.fieldOrder)
    #expect(header.frameRate == expected.frameRate)
  }
}
