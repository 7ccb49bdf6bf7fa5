import ExactTime
import Libav
import MediaFacts

/// Re-encoded audio: its description, and the samples that went in.
struct MadeAudio {
  /// FFmpeg's name of the new codec.
  var codec: Codec
  var parameters: CodecParameters
  var sampleRate: Int
  /// The number of audible samples.
  var sampleCount: Int64
  /// Checksum of the audible samples, for lossless codecs.
  var sum: SampleSum?
  /// The power of the upper half of the band in windows of 50 ms, of what was encoded; `nil` where
  /// it was not asked for.
  var upperBand: [Double]?
  /// What of the source it is.
  var parts: [AudioPart]
  /// Where the source's audio does not decode.
  var damage: [DamagedAudio] = []

  var grid: TickGrid { TickGrid(ticksPerSecond: Int64(max(1, sampleRate))) }
}
