import ExactTime
import Libav

/// A muxer to write packets with: one of FFmpeg's, or one of ours.
protocol PacketSink: AnyObject {
  /// Duration of a tick in seconds, for each stream.
  var ticks: [Rational] { get }

  /// Writes a packet; its times are in ``ticks`` of its stream.
  func write(
    _ bytes: [UInt8], stream: Int, pts: Int64, dts: Int64, duration: Int64, isKey: Bool,
    skippedAtStart: Int, skippedAtEnd: Int?, alpha: [UInt8]?
  ) throws(LibavError)

  /// Finishes the file.
  func finish() throws(LibavError)
}

extension Muxer: PacketSink {}
