public import ExactTime
import MediaFiles

/// A preview segment for browsers to append: an MP4 header and a fragment, or bare MP3 packets,
/// which browsers do not accept in MP4.
public struct PreviewSegment: Sendable {
  /// The complete segment.
  public var bytes: [UInt8]
  /// The MIME type to check browser support, such as `video/mp4; codecs="avc1.64001F"`.
  public var type: String
  /// The range that it shows, counted from the track's origin; may be larger than requested.
  public var range: MediaTimeRange
  /// When the first packet is presented, for formats without timestamps; `nil` for MP4.
  public var start: MediaTime?

  /// Creates a segment.
  public init(bytes: [UInt8], type: String, range: MediaTimeRange) {
    self.bytes = bytes
    self.type = type
    self.range = range
  }

  /// The delay of the times of copied packets, so that those before the beginning, which are
  /// decoded but not presented, can be stated: `tfdt` is unsigned.
  public static let lead = MediaDuration(10)
}

extension PreviewSegment {
  /// The lead in ticks.
  ///
  /// - Throws: ``MediaError`` where there are too many.
  static func lead(at ticksPerSecond: Int64) throws(MediaError) -> Int64 {
    do throws(ExactTimeError) {
      return try TickGrid(ticksPerSecond: ticksPerSecond).ticks(of: lead, rounding: .nearest)
    } catch {
      throw beyondNumbers
    }
  }

  static let beyondNumbers = MediaError(
    .limitExceeded, "its timestamps overflow 64-bit arithmetic")
}
