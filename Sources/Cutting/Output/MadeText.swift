import Libav
import MediaFacts

/// Subtitles that were converted to another text codec.
struct MadeText {
  /// FFmpeg's name of the new codec.
  var codec: Codec
  var parameters: CodecParameters
}
