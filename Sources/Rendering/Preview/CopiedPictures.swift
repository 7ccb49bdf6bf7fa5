public import ExactTime
import Libav
import MediaFacts
public import MediaFiles
import Synchronization

/// Copies coded pictures of a video into MP4 segments that browsers append, GOP by GOP.
///
/// Blocking: run it on a separate thread. Consecutive GOPs are read in one pass.
public final class CopiedPictures: Sendable {
  private let track: PictureTrack
  private let end: MediaTime
  private let core = Mutex(Core())

  private struct Core: ~Copyable {
    var reader: GroupReader?
  }

  /// Creates the reader without opening anything.
  ///
  /// - Parameter end: the end of everything that the file plays, until which the last picture is
  ///   shown.
  public init(_ track: PictureTrack, until end: MediaTime) {
    self.track = track
    self.end = end
  }

  /// Codecs that some browsers play in MP4.
  private static let codecs: Set<Codec> = [.h264, .hevc, .vp9, .av1]

  /// The GOPs that show a range; times count from the track's origin, and are delayed by
  /// ``PreviewSegment/lead``.
  ///
  /// - Returns: `nil` where they cannot be copied: there is no IDR picture for a long time, an
  ///   edit changes the speed, or no browser supports the codec.
  /// - Throws: ``MediaError``.
  public func segment(_ range: MediaTimeRange) throws(MediaError) -> PreviewSegment? {
    guard Self.codecs.contains(track.codec) else { return nil }
    return try core.withLock { (core) throws(MediaError) in
      if core.reader == nil { core.reader = try GroupReader(track) }
      guard let group = try core.reader?.groups(over: range),
        let times = try GroupTimes(group, in: track.table, until: end)
      else { return nil }
      guard let bytes = try core.reader?.segment(times), let type = BrowserCodec.type(of: bytes)
      else { return nil }
      return PreviewSegment(bytes: bytes, type: type, range: times.range)
    }
  }
}

extension GroupReader {
  fileprivate func segment(_ times: GroupTimes) throws(MediaError) -> [UInt8] {
    let stream = Muxer.Stream(
      source: packets.stream,
      tick: TickGrid(ticksPerSecond: times.ticksPerSecond).secondsPerTick, tags: [])
    return try MP4Segment(of: stream, in: packets.demuxer).bytes(times.packets)
  }
}
