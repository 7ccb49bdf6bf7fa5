import Libav

/// Subtitles that were converted to another text codec.
struct MadeText {
  /// FFmpeg's name of the new codec.
  var codec: String
  var parameters: CodecParameters
}
