public import ExactTime

/// A stretch of a preview as browsers append it to what they play: an MP4 header and a fragment, or plain
/// packets of MP3, which no browser's own MP4 takes.
public struct PreviewSegment: Sendable {
  /// The whole of it.
  public var bytes: [UInt8]
  /// What a browser is asked whether it plays it, such as `video/mp4; codecs="avc1.64001F"`.
  public var type: String
  /// What it shows, counted from the track's origin; more than was asked for, where it must be.
  public var range: MediaTimeRange
  /// When the first packet of what has no times of its own is heard; `nil` for MP4.
  public var start: MediaTime?

  /// Creates a segment.
  public init(bytes: [UInt8], type: String, range: MediaTimeRange) {
    self.bytes = bytes
    self.type = type
    self.range = range
  }

  /// By how much the times of copied packets are late, so that those before the beginning, which are
  /// decoded and not heard, can be stated: `tfdt` has no sign.
  public static let lead = MediaDuration(10)
}

#if FFmpeg
  import MediaFiles

  extension PreviewSegment {
    /// The lead in ticks.
    ///
    /// - Throws: ``ProbeError`` where there are too many.
    static func lead(at ticksPerSecond: Int64) throws(ProbeError) -> Int64 {
      do throws(ExactTimeError) {
        return try TickGrid(ticksPerSecond: ticksPerSecond).ticks(of: lead, rounding: .nearest)
      } catch {
        throw beyondNumbers
      }
    }

    static let beyondNumbers = ProbeError(
      .limitExceeded, "its times are beyond what can be counted")
  }
#endif
