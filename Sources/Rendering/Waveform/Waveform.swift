public import ExactTime

/// The lowest, the highest and the RMS level of the audio, for each pixel of a drawing.
public struct Waveform: Sendable, Hashable {
  /// One channel, or the mean of all.
  public struct Channel: Sendable, Hashable {
    /// The lowest sample of each pixel: from −1 to 1 where nothing is clipped, 0 where there is no
    /// audio.
    public internal(set) var low: [Float]
    /// The highest sample of each pixel, on the same scale as ``low``.
    public internal(set) var high: [Float]
    /// The root mean square (RMS) of the samples of each pixel.
    public internal(set) var rms: [Float]

    /// Creates a channel from its levels.
    ///
    /// - Precondition: all three have the same length.
    public init(low: [Float], high: [Float], rms: [Float]) {
      precondition(low.count == high.count && high.count == rms.count)
      self.low = low
      self.high = high
      self.rms = rms
    }
  }

  /// How several channels are drawn.
  public enum Channels: String, Sendable, Hashable, CaseIterable {
    /// The mean of all channels as one.
    case mixed
    /// Every channel separately.
    case all
  }

  /// The range that is drawn, counted from the track's origin.
  public let range: MediaTimeRange
  /// Samples per second of the audio.
  public let sampleRate: Int
  /// How many samples each pixel covers.
  public let scale: WaveformScale
  /// How many samples the range has, including silence between packets.
  public let sampleCount: Int64
  /// One channel for the mix, or each channel of the audio in order.
  public let channels: [Channel]

  /// Width of the waveform in pixels.
  public var pixelCount: Int { channels.first?.low.count ?? 0 }

  /// Creates a waveform from existing levels.
  ///
  /// - Precondition: all channels have the same number of levels.
  public init(
    range: MediaTimeRange, sampleRate: Int, scale: WaveformScale, sampleCount: Int64,
    channels: [Channel]
  ) {
    self.range = range
    self.sampleRate = sampleRate
    self.scale = scale
    self.sampleCount = sampleCount
    self.channels = channels
  }
}
