package import ISOMedia
package import Libav

/// What one input may cost, in one place: `trim doctor` prints these numbers, and a file that
/// exceeds one ends in an error that names it.
public struct Limits: Sendable, Hashable {
  /// The largest single allocation inside FFmpeg, in bytes.
  public var allocation = 256 << 20
  /// Pixels of one frame.
  ///
  /// The maximum of the highest levels of H.264 (6.2), HEVC (6.2), VP9 (6.2) and AV1 (6.3). A
  /// decoder may hold seventeen such frames, so a larger limit would not keep it within a gigabyte.
  public var pixels: Int64 = 35_651_584
  /// Pixels of one side of a frame.
  public var pictureSide = 16_384
  /// Streams of one file.
  public var streams = 100
  /// Bytes that are read to recognize a format and its streams.
  public var probeBytes: Int64 = 32 << 20
  /// Samples in all tables of one file; in addition, never more than it has bytes.
  public var samples: Int64 = 50_000_000
  /// Metadata entries of one file.
  public var tags = 1000
  /// Bytes of one metadata entry.
  public var tagBytes = 64 << 10
  /// Metadata entries of a file that FFmpeg reads: its time is quadratic in their number.
  public var entries = 4000
  /// FFmpeg log lines that are kept for one file.
  public var logLines = 200
  /// Bytes that are read without finding a packet in them; the rest counts as garbage.
  public var barrenBytes: Int64 = 128 << 20
  /// Packets that are returned without the read position advancing.
  public var idlePackets = 10_000
  /// Bytes of standard input that are stored when it is a pipe.
  public var spooledBytes: Int64 = 8 << 30
  /// How long one file may take: this, and a second for every ``bytesPerSecond``.
  public var baseTime: Duration = .seconds(60)
  /// The speed that determines the additional time for larger files, in bytes per second.
  public var bytesPerSecond: Int64 = 100_000_000
  /// How much processor time FFmpeg may take to read headers, or a packet, without checking for
  /// cancellation.
  public var step: Duration = .seconds(4)
  /// How much processor time a decoder or an encoder may take for one step.
  public var computing: Duration = .seconds(30)
  /// How long work may neither compute nor report progress, as when a disk does not respond.
  public var standstill: Duration = .seconds(60)
  /// How long standard input may send no data.
  public var stall: Duration = .seconds(10)

  /// The limits that the command line uses, and prints in `trim doctor`.
  public static let standard = Limits()

  /// Creates the standard limits.
  public init() {}

  /// The time that a file of a given size may take.
  public func time(forBytes byteCount: Int64?) -> Duration {
    baseTime + .seconds((byteCount ?? 0) / max(1, bytesPerSecond))
  }

  /// The same; a file on another machine may take a second for every megabyte.
  package func time(forBytes byteCount: Int64?, isRemote: Bool) -> Duration {
    let time = time(forBytes: byteCount)
    return isRemote ? max(time, baseTime + .seconds((byteCount ?? 0) / 1_000_000)) : time
  }

  package var iso: ISOLimits {
    var limits = ISOLimits()
    limits.samples = samples
    limits.tracks = streams
    limits.tags = tags
    limits.tagBytes = tagBytes
    return limits
  }

  package var demuxer: DemuxerLimits {
    var limits = DemuxerLimits()
    limits.probeBytes = probeBytes
    limits.streams = Int32(clamping: streams)
    limits.entries = entries
    limits.pixels = pixels
    limits.side = pictureSide
    limits.barrenBytes = barrenBytes
    limits.idlePackets = idlePackets
    return limits
  }
}
