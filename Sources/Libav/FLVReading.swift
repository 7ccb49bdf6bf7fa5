import CFFmpeg

/// The Enhanced RTMP support of the FFmpeg version that this was built for.
package enum FLVReading {
  /// Whether it reads pictures with a FourCC, since FFmpeg 6.1.
  package static let knowsNamedPictures =
    (LIBAVFORMAT_VERSION_MAJOR, LIBAVFORMAT_VERSION_MINOR) >= (60, 16)
  /// Whether it reads audio with a FourCC, since FFmpeg 8.0.
  package static let knowsNamedSound = LIBAVFORMAT_VERSION_MAJOR >= 62
}
