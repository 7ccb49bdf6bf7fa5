#if FFmpeg
  import ExactTime
  import Libav
  import MediaFiles

  /// A stretch of a preview: an MP4 header and one fragment (ISO 14496-12, 8.8), as browsers append
  /// them to what they play.
  enum MP4Segment {
    struct Packet {
      var bytes: [UInt8]
      /// In ticks from the beginning of the whole preview; the order of decoding is the same.
      var pts: Int64
      var duration: Int64
      var isKey: Bool
    }

    /// - Throws: ``ProbeError`` where it cannot be made.
    static func bytes(
      _ packets: [Packet], of parameters: CodecParameters, tick: Rational
    ) throws(ProbeError) -> [UInt8] {
      let memory = OutputMemory(limit: 1 << 28)
      do throws(LibavError) {
        let muxer = try Muxer(
          format: "mp4", to: memory, made: [Muxer.MadeStream(parameters, tick: tick)],
          options: [
            // A fragment states its own beginning, as if all before it had been written.
            ("movflags", "empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer"),
            ("use_editlist", "0"), ("strict", "experimental"), ("write_tmcd", "0"),
          ])
        guard let written = muxer.ticks.first, written == tick else {
          throw LibavError(.muxing, "MP4 cannot count in ticks of \(tick) s")
        }
        for packet in packets {
          try muxer.write(
            packet.bytes, stream: 0, pts: packet.pts, dts: packet.pts, duration: packet.duration,
            isKey: packet.isKey)
        }
        try muxer.finish()
      } catch {
        throw ProbeError(error)
      }
      return memory.bytes
    }
  }
#endif
