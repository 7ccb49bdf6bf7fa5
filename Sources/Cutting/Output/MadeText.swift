#if FFmpeg
  import Libav

  /// Subtitles that became text of another codec.
  struct MadeText {
    /// FFmpeg's name of what it is now.
    var codec: String
    var parameters: CodecParameters
  }
#endif
