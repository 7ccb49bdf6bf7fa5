import ExactTime
import Support
import Testing

@testable import Bitstreams
@testable import Probing

@Suite(.timeLimit(.minutes(5)))
struct `Given the configuration of a picture track` {
  @Suite
  struct `When it belongs to a real file` {
    @Test(arguments: CodedConfiguration.films)
    func `then its header gives what ffprobe reports`(film: CodedConfiguration) throws {
      let header = try #require(VideoHeader(codec: film.codec, configuration: film.bytes))
      #expect(header.profile == film.profile)
      #expect(header.level == film.level)
      #expect(header.width == film.width)
      #expect(header.height == film.height)
      #expect(header.pixelFormat == film.pixelFormat)
      if let shape = film.shape { #expect((header.sampleAspectRatio ?? .one) == shape) }
    }

    @Test(arguments: CodedConfiguration.films)
    func `then its color is what ffprobe reports`(film: CodedConfiguration) throws {
      let header = try #require(VideoHeader(codec: film.codec, configuration: film.bytes))
      if let range = film.range { #expect((header.isFullRange == true) == (range == "pc")) }
      #expect(header.primaries.flatMap(CodePoints.primaries) == film.primaries)
      #expect(header.transfer.flatMap(CodePoints.transfer) == film.transfer)
      #expect(header.matrix.flatMap(CodePoints.matrix) == film.matrix)
    }

    @Test(arguments: CodedConfiguration.films)
    func `then its field order and reordering are what ffprobe reports, where stated`(
      film: CodedConfiguration
    ) throws {
      let header = try #require(VideoHeader(codec: film.codec, configuration: film.bytes))
      if film.fieldOrder == "progressive", film.codec != "hevc" {
        #expect(header.isProgressive == true)
      } else if film.fieldOrder != nil, film.codec != "hevc" {
        #expect(header.isProgressive != true)
      }
      if let reordered = header.maxReorderFrames { #expect(reordered == film.reordered) }
    }
  }

  @Suite
  struct `When its bytes are damaged` {
    @Test(arguments: CodedConfiguration.films)
    func `then reading it finishes, with or without a header`(film: CodedConfiguration) {
      var generator = SeededGenerator(seed: 22)
      for _ in 0..<500 {
        var bytes = film.bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let index = Int.random(in: bytes.indices, using: &generator)
          bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        }
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator) / 2)
        let header = VideoHeader(codec: film.codec, configuration: bytes)
        #expect(header?.width.map { $0 > 0 } != false, "\(generator): \(bytes)")
        #expect(header?.height.map { $0 > 0 } != false, "\(generator): \(bytes)")
      }
    }

    @Test(arguments: CodedConfiguration.films)
    func `then every prefix of it is read without a trap`(film: CodedConfiguration) {
      for count in 0...film.bytes.count {
        let header = VideoHeader(codec: film.codec, configuration: Array(film.bytes.prefix(count)))
        #expect(header?.profile == nil || header?.profile == film.profile)
      }
    }
  }
}
