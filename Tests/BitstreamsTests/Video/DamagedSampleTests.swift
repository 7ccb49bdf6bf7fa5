import MediaFacts
import Support
import Testing

@testable import Bitstreams

@Suite(.timeLimit(.minutes(5))) struct `Given samples that were tampered with` {
  static let codecs: [Codec] = [
    "h264", "hevc", "mpeg2video", "mpeg4", "vp8", "vp9", "av1", "theora", "prores", "mjpeg",
    "mjpeg",
  ]

  /// Everything that reads a sample's bytes, crossed with every framing.
  static func readAll(_ codec: Codec, _ bytes: [UInt8]) {
    for framing in [Framing.annexB, .lengthPrefixed(1), .lengthPrefixed(2), .lengthPrefixed(4)] {
      _ = RandomAccess.classify(codec: codec, bytes[...], framing: framing)
      _ = RandomAccess.isSkippedLeading(codec: codec, bytes[...], framing: framing)
      _ = VideoHeader(codec: codec, firstSample: bytes[...], framing: framing)
      for unit in NALUnits(bytes: bytes[...], framing: framing) {
        _ = SEIMessage.payload(ofType: 6, in: unit.dropFirst())
      }
      var header = VideoHeader()
      header.pictureTimingDelayBits = bytes.count % 64
      _ = header.fieldOrder(ofFirstSample: bytes[...], framing: framing)
    }
    _ = ProResHeader(bytes[...])
    _ = AACPriming.samples(inFirstPacket: bytes[...])
    _ = VideoHeader(codec: codec, configuration: bytes)
    _ = AudioHeader(codec: "aac", configuration: bytes)
  }

  static let samples: [[UInt8]] =
    (`Given a sample that the container calls a keyframe`.h264
    + `Given a sample that the container calls a keyframe`.hevc
    + `Given a sample that the container calls a keyframe`.mpeg2
    + `Given a sample that the container calls a keyframe`.others.map(\.sample)).map(\.bytes)

  @Test(arguments: codecs)
  func `then every prefix of them is read without a trap`(_ codec: Codec) {
    for sample in Self.samples {
      for count in 0...sample.count { Self.readAll(codec, Array(sample.prefix(count))) }
    }
  }

  @Test(arguments: codecs)
  func `then no damage traps a reader`(_ codec: Codec) {
    var generator = SeededGenerator(seed: 41)
    for sample in Self.samples where !sample.isEmpty {
      for _ in 0..<20 {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let index = Int.random(in: bytes.indices, using: &generator)
          bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        }
        Self.readAll(codec, bytes)
      }
    }
  }

  @Test(arguments: codecs)
  func `then meaningless bytes are read without a trap`(_ codec: Codec) {
    var generator = SeededGenerator(seed: 42)
    for length in 0..<200 {
      Self.readAll(
        codec, (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
      Self.readAll(codec, [UInt8](repeating: 0, count: length))
      Self.readAll(codec, [UInt8](repeating: 0xFF, count: length))
    }
  }
}
