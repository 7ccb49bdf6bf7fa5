#if FFmpeg
  import ExactTime
  import Libav

  /// Re-encoded audio: its description, and the samples that went in.
  struct MadeSound {
    /// FFmpeg's name of the new codec.
    var codec: String
    var parameters: CodecParameters
    var sampleRate: Int
    /// The number of audible samples.
    var sampleCount: Int64
    /// Checksum of the audible samples, for lossless codecs.
    var sum: SampleSum?
    /// Where the source's audio does not decode.
    var damage: [DamagedSound] = []

    var grid: TickGrid { TickGrid(ticksPerSecond: Int64(max(1, sampleRate))) }
  }
#endif
