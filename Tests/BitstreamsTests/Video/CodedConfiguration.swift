import ExactTime
import MediaFacts
import Testing

/// The configuration of a coded picture track, and what is known about it.
struct CodedConfiguration: Sendable, CustomTestStringConvertible {
  var codec: Codec
  var hex: String
  var profile: String?
  var level: String?
  var width: Int
  var height: Int
  var shape: Rational?
  var pixelFormat: String
  var range: String?
  var primaries: String?
  var transfer: String?
  var matrix: String?
  var fieldOrder: String?
  /// The number of frames that FFmpeg delays for reordering.
  var reordered: Int

  var bytes: [UInt8] { [UInt8](hexadecimal: hex) }

  var testDescription: String {
    "\(codec) \(profile ?? "without profile") \(width)x\(height) \(pixelFormat)"
  }
}

extension [UInt8] {
  /// Two digits a byte; anything else separates bytes.
  init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
