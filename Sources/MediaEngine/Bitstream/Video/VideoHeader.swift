import ExactTime

/// What a picture stream says of itself in its sequence headers, under FFmpeg's names.
///
/// `nil` is what the stream does not state.
struct VideoHeader: Hashable, Sendable {
  /// `High`, `Main 10`, `Profile 0`.
  var profile: String?
  /// `4.0`, `3.1`, `1b`; for MPEG-2 `Main`.
  var level: String?
  /// In pixels, after cropping, before the aspect ratio.
  var width: Int?
  var height: Int?
  /// Width of a pixel over its height.
  var sampleAspectRatio: Rational?
  /// FFmpeg's name, such as `yuv420p10le`.
  var pixelFormat: String?
  /// Of luma, in bits.
  var bitDepth: Int?
  var colorPrimaries: String?
  var colorTransfer: String?
  var colorMatrix: String?
  /// `tv` (limited) or `pc` (full).
  var colorRange: String?
  /// `progressive`, `tt` or `bb`; `nil` where only the pictures can tell.
  var fieldOrder: String?
  /// Frames a second that the stream's own clock states.
  var frameRate: Rational?
  /// How many frames can come before another in the stream and after it on the screen, at most.
  var maximumReorderedFrames: Int?

  /// A ratio of two numbers from a file; `nil` when one of them is zero.
  static func ratio(_ numerator: Int, _ denominator: Int) -> Rational? {
    guard numerator > 0, denominator > 0 else { return nil }
    return try? Rational(checked: Int128(numerator), over: Int128(denominator))
  }
}
