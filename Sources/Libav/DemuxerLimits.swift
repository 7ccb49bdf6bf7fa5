/// What opening and reading a file may cost.
package struct DemuxerLimits: Sendable, Hashable {
  /// Bytes read at most to recognise the format and its streams.
  package var probeBytes: Int64 = 32 << 20
  /// Microseconds of media read at most for the same.
  package var analyzeMicroseconds: Int64 = 20_000_000
  package var streams: Int32 = 100
  /// Metadata entries at most of the file, and of one of its streams.
  package var entries = 4000
  /// Pixels of a picture at most, and of one of its sides.
  package var pixels: Int64 = 35_651_584
  package var side = 16_384
  /// Bytes read at most without finding a packet in them.
  package var barrenBytes: Int64 = 128 << 20
  /// The same where a parser keeps them in memory all the while; no frame is longer.
  package var gatheredBytes: Int64 = 14 << 20
  /// Bytes read at most to recognise the streams of such a format: with the longest frame behind them
  /// no more than may be gathered.
  package var bareProbeBytes: Int64 = 6 << 20
  /// Packets at most that come without reading on.
  package var idlePackets = 10_000

  package init() {}

  /// Why pictures of a size are not decoded; `nil` when they are.
  package func refusal(ofWidth width: Int, height: Int) -> String? {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > side || height > side || overflow || Int64(area) > pixels else { return nil }
    return "its pictures are \(width)x\(height), larger than the limits allow"
  }

  /// Pixels at most of each of several streams that are decoded at a time: a decoder may hold many
  /// of its pictures, and all of them together no more than one may alone.
  package func pixels(ofEachOf count: Int) -> Int64 { pixels / Int64(max(1, count)) }
}
