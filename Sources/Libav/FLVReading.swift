#if FFmpeg
  import CFFmpeg
#endif

/// What the FFmpeg that this was built for knows of Enhanced RTMP.
package enum FLVReading {
  #if FFmpeg
    /// Since FFmpeg 6.1.
    package static let knowsNamedPictures =
      (LIBAVFORMAT_VERSION_MAJOR, LIBAVFORMAT_VERSION_MINOR) >= (60, 16)
    /// Since FFmpeg 8.0.
    package static let knowsNamedSound = LIBAVFORMAT_VERSION_MAJOR >= 62
  #else
    package static let knowsNamedPictures = false
    package static let knowsNamedSound = false
  #endif
}
