package import ExactTime
package import MediaFacts

/// The size, pixel aspect ratio and format of pictures, from the SPS or sequence header at a keyframe.
package struct CodedFormat: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// Sample aspect ratio: width of a pixel over its height.
  package let pixelAspect: Rational
  /// FFmpeg's name for the chroma format and bit depth.
  package let pixelFormat: String?
  /// For H.264: `frame_mbs_only_flag` is 0, which changes the syntax of slice headers.
  package private(set) var mayBeFields = false

  /// - Returns: `nil` if the header does not state a size.
  package init?(_ header: VideoHeader?, codec: Codec) {
    guard let header, let width = header.width, let height = header.height, width > 0, height > 0
    else { return nil }
    self.width = width
    self.height = height
    pixelAspect = header.sampleAspectRatio.flatMap { $0.isPositive ? $0 : nil } ?? .one
    pixelFormat = header.pixelFormat
    mayBeFields = codec == .h264 && header.isProgressive != true
  }

  /// Whether size, aspect ratio and format are equal, regardless of interlaced coding.
  package func matches(_ other: CodedFormat) -> Bool {
    var other = other
    other.mayBeFields = mayBeFields
    return self == other
  }

  /// Whether this can be read from the keyframes of a codec.
  package static func isStated(by codec: Codec) -> Bool {
    codec.isOne(of: .h264, .hevc, .mpeg1Video, .mpeg2Video, .vp8, .vp9)
  }
}
