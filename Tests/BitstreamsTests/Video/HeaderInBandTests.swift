import ExactTime
import MediaFacts
import Testing

@testable import Bitstreams

@Suite struct `Given the first frame of a video track without a configuration` {
  /// The beginning of a frame as FFmpeg's encoders write it, and what ffprobe 5.1 reports for it.
  struct Frame: Sendable, CustomTestStringConvertible {
    var codec: Codec
    var hex: String
    var profile: String?
    var width: Int
    var height: Int
    var pixelFormat: String

    var bytes: [UInt8] { [UInt8](hexadecimal: hex) }
    var testDescription: String { "\(codec) \(pixelFormat)" }

    static let all = [
      Frame(
        codec: "vp8", hex: "9025009d012a640032000047088585888584", profile: "0", width: 100,
        height: 50, pixelFormat: "yuv420p"),
      Frame(
        codec: "vp9", hex: "92498342000318018b061c120e0c2c00", profile: "Profile 2", width: 100,
        height: 50, pixelFormat: "yuv420p10le"),
      Frame(
        codec: "vp9", hex: "a24983420400c60062c1470483830940", profile: "Profile 1", width: 100,
        height: 50, pixelFormat: "yuv440p"),
      Frame(
        codec: "vp9", hex: "a2498342e027f017b69999241c183e10", profile: "Profile 1", width: 640,
        height: 380, pixelFormat: "gbrp"),
      Frame(
        codec: "av1", hex: "0a0a200000032e3c4daf902032eb0614", profile: "High", width: 100,
        height: 50, pixelFormat: "yuv444p"),
    ]
  }

  @Test(arguments: Frame.all)
  func `then its header gives what ffprobe reports`(frame: Frame) throws {
    let header = try #require(
      VideoHeader(codec: frame.codec, firstSample: frame.bytes[...], framing: .annexB))
    #expect(header.profile == frame.profile)
    #expect(header.width == frame.width)
    #expect(header.height == frame.height)
    #expect(header.pixelFormat == frame.pixelFormat)
  }

  @Test(arguments: Frame.all)
  func `when it is truncated then it gives nothing`(frame: Frame) {
    for count in 0..<6 {
      let header = VideoHeader(
        codec: frame.codec, firstSample: frame.bytes.prefix(count), framing: .annexB)
      #expect(header == nil)
    }
  }

  @Test(arguments: ["h264", "hevc"])
  func `when its parameter sets are in-band then they are read in both framings`(codec: Codec)
    throws
  {
    let clip = try #require(CodedConfiguration.clips.first { $0.codec == codec })
    let configured = try #require(VideoHeader(codec: codec, configuration: clip.bytes))
    let set = try #require(Self.sequenceSet(of: clip))
    let delimiter: [UInt8] = codec == "h264" ? [0x09, 0xF0] : [70, 1, 0x50]
    let framed: (Framing, [UInt8]) = (
      .lengthPrefixed(2), [0, UInt8(delimiter.count)] + delimiter + [0, UInt8(set.count)] + set
    )
    let coded: (Framing, [UInt8]) = (.annexB, [0, 0, 0, 1] + delimiter + [0, 0, 1] + set)
    for (framing, sample) in [framed, coded] {
      #expect(VideoHeader(codec: codec, firstSample: sample[...], framing: framing) == configured)
    }
  }

  /// The first sequence parameter set of an avcC or hvcC.
  private static func sequenceSet(of clip: CodedConfiguration) -> [UInt8]? {
    let bytes = clip.bytes
    if clip.codec == "h264" { return Array(bytes[8..<8 + Int(bytes[7])]) }
    var position = 23
    while position + 5 < bytes.count {
      let length = Int(bytes[position + 4])
      let unit = bytes[(position + 5)..<(position + 5 + length)]
      if bytes[position] & 0x3F == 33 { return Array(unit) }
      position += 5 + length
    }
    return nil
  }

  @Test func `when it is ProRes then it gives its pixel format`() throws {
    let frame = [UInt8](hexadecimal: "0000054569637066009400014c61766300200018c000020202000003")
    let header = try #require(ProResHeader(frame[...]))
    #expect(header.pixelFormat == "yuv444p12le")
    #expect(header.bitDepth == 12)
    #expect(ProResHeader(frame.dropFirst()) == nil)
    #expect(ProResHeader(frame.prefix(25)) == nil)
  }
}
