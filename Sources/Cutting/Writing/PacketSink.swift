#if FFmpeg
  import ExactTime
  import Libav

  /// What packets are written with: one of FFmpeg's muxers, or one of ours.
  protocol PacketSink: AnyObject {
    /// Seconds a tick of each stream.
    var ticks: [Rational] { get }

    /// Writes a packet; times in ``ticks`` of its stream.
    func write(
      _ bytes: [UInt8], stream: Int, pts: Int64, dts: Int64, duration: Int64, isKey: Bool,
      skippedAtStart: Int, skippedAtEnd: Int?, alpha: [UInt8]?
    ) throws(LibavError)

    /// Writes what belongs at the end.
    func finish() throws(LibavError)
  }

  extension Muxer: PacketSink {}
#endif
