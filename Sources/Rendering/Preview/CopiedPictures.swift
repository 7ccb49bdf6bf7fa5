#if FFmpeg
  public import ExactTime
  import Libav
  public import MediaFiles
  import Synchronization

  /// The pictures of a video as they are coded, in MP4 that browsers append, group by group.
  ///
  /// Blocking: give it a thread of its own. Groups that follow each other are read in one go.
  public final class CopiedPictures: Sendable {
    private let track: PictureTrack
    private let end: MediaTime
    private let core = Mutex(Core())

    private struct Core: ~Copyable {
      var reader: GroupReader?
    }

    /// Opens nothing yet.
    ///
    /// - Parameter end: of all that the file plays, until which the last picture stands.
    public init(_ track: PictureTrack, until end: MediaTime) {
      self.track = track
      self.end = end
    }

    /// Codecs that some browser plays in MP4.
    private static let codecs: Set = ["h264", "hevc", "vp9", "av1"]

    /// The groups of pictures that show a range; times count from the track's origin, and are
    /// ``PreviewSegment/lead`` late.
    ///
    /// - Returns: `nil` where they cannot be handed on as they are: no picture restarts the decoder for
    ///   long, an edit plays at another speed, or the codec is none of a browser's.
    /// - Throws: ``ProbeError``.
    public func segment(_ range: MediaTimeRange) throws(ProbeError) -> PreviewSegment? {
      guard Self.codecs.contains(track.codec) else { return nil }
      return try core.withLock { (core) throws(ProbeError) in
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
    fileprivate func segment(_ times: GroupTimes) throws(ProbeError) -> [UInt8] {
      let stream = Muxer.Stream(
        source: packets.stream,
        tick: TickGrid(ticksPerSecond: times.ticksPerSecond).secondsPerTick, tags: [])
      return try MP4Segment(of: stream, in: packets.demuxer).bytes(times.packets)
    }
  }
#endif
