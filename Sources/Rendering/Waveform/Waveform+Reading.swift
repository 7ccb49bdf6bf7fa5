public import ExactTime
import Libav
public import MediaFiles

extension Waveform {
  /// Decodes the audio of a range.
  ///
  /// Blocking. What is hidden by edit lists, priming and padding is not drawn, and where the file
  /// continues without audio there is silence.
  ///
  /// - Parameter range: counted from the track's origin.
  /// - Throws: ``MediaError``; `notDecoded` for a codec that is not decoded here.
  public init(
    of track: AudioTrack, in range: MediaTimeRange, scale: WaveformScale,
    channels: Channels = .mixed
  ) throws(MediaError) {
    var reading = try AudioReading(
      track, in: range, for: WaveformSink(scale: scale, isMixed: channels == .mixed))
    while try reading.advance() {}
    guard let builder = reading.sink.builder, let rate = reading.sampleRate else {
      throw MediaError(.damaged, "none of its audio can be decoded")
    }
    self.init(
      range: range, sampleRate: rate, scale: scale, sampleCount: builder.sampleCount,
      channels: builder.channels)
  }
}

/// Adds up the audible samples of a range.
private struct WaveformSink: AudioSink {
  let scale: WaveformScale
  let isMixed: Bool
  private(set) var builder: WaveformBuilder?

  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError) {
    builder = WaveformBuilder(
      scale: scale, sampleCount: samples, channels: channels, isMixed: isMixed)
    guard builder != nil else {
      throw LibavError(.tooManyPixels, "the waveform would be longer than allowed")
    }
  }

  mutating func take(
    _ sound: borrowing DecodedAudio, _ run: AudioPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError) {
    guard builder?.add(sound, run, heard: heard) ?? false else {
      throw LibavError(.notAllowed, "its sample format is not supported")
    }
  }
}
