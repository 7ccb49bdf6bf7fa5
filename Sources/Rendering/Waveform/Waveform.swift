public import ExactTime

/// The least, the greatest and the mean level of each pixel of a stretch of sound.
public struct Waveform: Sendable, Hashable {
  /// One channel, or the mean of all.
  public struct Channel: Sendable, Hashable {
    /// From −1 to 1 where nothing is clipped; zero where there is no sound.
    public internal(set) var low: [Float]
    public internal(set) var high: [Float]
    /// The root of the mean square.
    public internal(set) var rms: [Float]

    /// - Precondition: as many of each.
    public init(low: [Float], high: [Float], rms: [Float]) {
      precondition(low.count == high.count && high.count == rms.count)
      self.low = low
      self.high = high
      self.rms = rms
    }
  }

  public enum Channels: String, Sendable, Hashable, CaseIterable {
    /// The mean of all channels as one.
    case mixed
    case all
  }

  /// What is drawn, counted from the origin of its track.
  public let range: MediaTimeRange
  public let sampleRate: Int
  public let scale: WaveformScale
  /// Samples of the range, with or without sound.
  public let sampleCount: Int64
  public let channels: [Channel]

  public var pixelCount: Int { channels.first?.low.count ?? 0 }

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
