import ExactTime
import Testing

@testable import MediaEngine

/// A real codec configuration, and what `ffprobe` of FFmpeg 5.1 says of its track.
///
/// The frame rate is the one that the header itself states, where ffprobe's comes from the times of
/// the packets. For HEVC ffprobe leaves the field order to the container; here it is the header's.
struct CodedHeaderCase: Sendable, CustomTestStringConvertible {
  var name: String
  var codec: String
  var configuration: [UInt8]
  /// The first bytes of a sample, where the configuration alone does not tell everything.
  var sample: [UInt8]
  var expected: VideoHeader
  var testDescription: String { "\(codec): \(name)" }

  static let all = h264 + hevc

  init(
    _ name: String, codec: String, configuration: String, sample: String = "", profile: String?,
    level: String?, size: [Int], aspect: String?, pixelFormat: String?, colors: [String?],
    range: String?, fieldOrder: String?, frameRate: String?
  ) {
    self.name = name
    self.codec = codec
    self.configuration = [UInt8](hex: configuration)
    self.sample = [UInt8](hex: sample)
    expected = VideoHeader()
    expected.profile = profile
    expected.level = level
    expected.width = size[0]
    expected.height = size[1]
    expected.sampleAspectRatio = aspect.flatMap { Rational(exactly: $0) }
    expected.pixelFormat = pixelFormat
    expected.colorPrimaries = colors[0]
    expected.colorTransfer = colors[1]
    expected.colorMatrix = colors[2]
    expected.colorRange = range
    expected.fieldOrder = fieldOrder
    expected.frameRate = frameRate.flatMap { Rational(exactly: $0) }
  }
}

extension [UInt8] {
  /// The bytes that pairs of hexadecimal digits spell.
  init(hex: String) {
    self = []
    var digits = hex[...]
    while let byte = UInt8(digits.prefix(2), radix: 16) {
      append(byte)
      digits = digits.dropFirst(2)
    }
  }
}
