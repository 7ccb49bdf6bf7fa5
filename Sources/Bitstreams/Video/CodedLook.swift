package import ExactTime

/// What pictures look like from a keyframe on, as the parameter sets or the sequence header in front of it say.
package struct CodedLook: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// Width of a pixel over its height.
  package let pixelAspect: Rational
  /// FFmpeg's name: components and depth.
  package let pixelFormat: String?
  /// Of H.264: slices of sequences with and without fields have other headers.
  package private(set) var mayBeFields = false

  /// - Returns: `nil` where a header says nothing of the size.
  package init?(_ header: VideoHeader?, codec: String) {
    guard let header, let width = header.width, let height = header.height, width > 0, height > 0
    else { return nil }
    self.width = width
    self.height = height
    pixelAspect = header.sampleAspectRatio.flatMap { $0.isPositive ? $0 : nil } ?? .one
    pixelFormat = header.pixelFormat
    mayBeFields = codec == "h264" && header.isProgressive != true
  }

  /// Whether pictures look alike, however they are coded.
  package func isAlike(_ other: CodedLook) -> Bool {
    var other = other
    other.mayBeFields = mayBeFields
    return self == other
  }

  /// Whether keyframes of a codec tell.
  package static func isTold(by codec: String) -> Bool {
    ["h264", "hevc", "mpeg1video", "mpeg2video"].contains(codec)
  }
}
