import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// A preview segment: an MP4 header and one fragment (ISO 14496-12, 8.8), for browsers to append.
struct MP4Segment {
  struct Packet {
    var bytes: [UInt8]
    /// The PTS in ticks from the beginning of the whole preview.
    var pts: Int64
    /// The DTS; `nil` where pictures are not reordered.
    var dts: Int64?
    var duration: Int64
    var isKey: Bool
  }

  private let memory = OutputMemory(limit: 1 << 28)
  private let muxer: Muxer

  /// Creates a segment for a stream encoded here.
  ///
  /// - Throws: ``MediaError`` where it cannot be made.
  init(of parameters: CodecParameters, tick: Rational) throws(MediaError) {
    let stream = Muxer.MadeStream(parameters, tick: tick)
    do throws(LibavError) {
      muxer = try Muxer(
        format: OutputContainer.mp4.rules.muxer, to: memory, made: [stream], options: Self.options)
      try check(tick)
    } catch {
      throw MediaError(error)
    }
  }

  /// Creates a segment for a stream's copied packets.
  ///
  /// - Throws: ``MediaError`` where it cannot be made.
  init(of stream: Muxer.Stream, in demuxer: borrowing Demuxer) throws(MediaError) {
    let clock = ("video_track_timescale", "\(stream.tick.denominator)")
    do throws(LibavError) {
      muxer = try Muxer(
        format: OutputContainer.mp4.rules.muxer, to: memory, from: demuxer, streams: [stream],
        options: Self.options + [clock])
      try check(stream.tick)
    } catch {
      throw MediaError(error)
    }
  }

  private static let options = [
    // A fragment states its own start time, as if everything before it had been written.
    ("movflags", "empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer"),
    ("use_editlist", "0"), ("strict", "experimental"), ("write_tmcd", "0"),
  ]

  private func check(_ tick: Rational) throws(LibavError) {
    guard muxer.ticks.first == tick else {
      throw LibavError(.muxing, "MP4 cannot express ticks of \(tick) s")
    }
  }

  /// - Throws: ``MediaError`` where it cannot be made.
  consuming func bytes(_ packets: [Packet]) throws(MediaError) -> [UInt8] {
    do throws(LibavError) {
      for packet in packets {
        try muxer.write(
          packet.bytes, stream: 0, pts: packet.pts, dts: packet.dts ?? packet.pts,
          duration: packet.duration, isKey: packet.isKey)
      }
      try muxer.finish()
    } catch {
      throw MediaError(error)
    }
    return memory.bytes
  }
}
