#if FFmpeg
  import ExactTime
  import Libav

  /// Sound that was re-encoded: what describes it, and what went in.
  struct MadeSound {
    /// FFmpeg's name of what it is now.
    var codec: String
    var parameters: CodecParameters
    var sampleRate: Int
    /// Samples that are heard.
    var sampleCount: Int64
    /// Of the samples that are heard, where the codec keeps them as they are.
    var sum: SampleSum?

    var grid: TickGrid { TickGrid(ticksPerSecond: Int64(max(1, sampleRate))) }
  }
#endif
