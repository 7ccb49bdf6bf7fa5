import ExactTime
import Support
import Testing

@testable import Bitstreams

@Suite(.timeLimit(.minutes(5)))
struct `Given the configuration of a video track` {
  @Suite
  struct `When it belongs to a real file` {
    @Test(arguments: CodedConfiguration.clips)
    func `then its header gives what ffprobe reports`(clip: CodedConfiguration) throws {
      let header = try #require(VideoHeader(codec: clip.codec, configuration: clip.bytes))
      #expect(header.profile == clip.profile)
      #expect(header.level == clip.level)
      #expect(header.width == clip.width)
      #expect(header.height == clip.height)
      #expect(header.pixelFormat == clip.pixelFormat)
      if let shape = clip.shape { #expect((header.sampleAspectRatio ?? .one) == shape) }
    }

    @Test(arguments: CodedConfiguration.clips)
    func `then its color is what ffprobe reports`(clip: CodedConfiguration) throws {
      let header = try #require(VideoHeader(codec: clip.codec, configuration: clip.bytes))
      if let range = clip.range { #expect((header.isFullRange == true) == (range == "pc")) }
      #expect(header.color.primaries.flatMap(CodePoints.primaries) == clip.primaries)
      #expect(header.color.transfer.flatMap(CodePoints.transfer) == clip.transfer)
      #expect(header.color.matrix.flatMap(CodePoints.matrix) == clip.matrix)
    }

    @Test(arguments: CodedConfiguration.clips)
    func `then its field order and reordering are what ffprobe reports, where stated`(
      clip: CodedConfiguration
    ) throws {
      let header = try #require(VideoHeader(codec: clip.codec, configuration: clip.bytes))
      if clip.fieldOrder == "progressive", clip.codec != "hevc" {
        #expect(header.isProgressive == true)
      } else if clip.fieldOrder != nil, clip.codec != "hevc" {
        #expect(header.isProgressive != true)
      }
      if let reordered = header.maxReorderFrames { #expect(reordered == clip.reordered) }
    }
  }

  @Suite
  struct `When its bytes are damaged` {
    @Test(arguments: CodedConfiguration.clips)
    func `then reading it finishes, with or without a header`(clip: CodedConfiguration) {
      var generator = SeededGenerator(seed: 22)
      for _ in 0..<500 {
        var bytes = clip.bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let index = Int.random(in: bytes.indices, using: &generator)
          bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        }
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator) / 2)
        let header = VideoHeader(codec: clip.codec, configuration: bytes)
        #expect(header?.width.map { $0 > 0 } != false, "\(generator): \(bytes)")
        #expect(header?.height.map { $0 > 0 } != false, "\(generator): \(bytes)")
      }
    }

    @Test(arguments: CodedConfiguration.clips)
    func `then every prefix of it is read without a trap`(clip: CodedConfiguration) {
      for count in 0...clip.bytes.count {
        let header = VideoHeader(codec: clip.codec, configuration: Array(clip.bytes.prefix(count)))
        #expect(header?.profile == nil || header?.profile == clip.profile)
      }
    }
  }
}
