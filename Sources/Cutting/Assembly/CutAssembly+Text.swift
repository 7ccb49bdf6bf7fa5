#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  extension CutAssembly {
    /// Turns subtitles into text of another codec.
    ///
    /// - Parameter range: when they are shown at all, in ticks of the track.
    func convert(
      _ track: inout OutputTrack, into codec: String, in range: Range<Int64>
    ) throws(CutError) {
      let described = source.tracks[track.source]
      let converter = try source.withDemuxer { (demuxer) throws(CutError) in
        try CutError.ofText(described) { () throws(LibavError) in
          try demuxer.textConverter(forStream: described.stream, into: codec)
        }
      }
      var events = TextEvents<TextConverter.Line>()
      for packet in track.packets {
        let bytes = try packet.bytes(of: source, track: track.source, spool)
        let lines = try CutError.ofText(described) { () throws(LibavError) in
          try converter.lines(of: Self.readable(bytes, described.facts.codec))
        }
        events.append(lines, from: packet.pts, lasting: packet.duration, place: packet.place)
      }
      track.packets = []
      let shown =
        plan.container.isISO
        ? events.oneAtATime(in: range)
        : events.ended(by: range.upperBound)
      for event in shown {
        let bytes = try CutError.ofText(described) { () throws(LibavError) in
          try converter.packet(of: event.lines)
        }
        // A length of zero is a sample of timed text that shows nothing (3GPP TS 26.245, 5.17).
        let content = bytes.isEmpty && plan.container.isISO ? [0, 0] : bytes
        guard !content.isEmpty else { continue }
        track.packets.append(
          OutputPacket(
            pts: event.range.lowerBound, dts: event.range.lowerBound,
            duration: Int64(event.range.count), isKey: true, byteCount: content.count,
            payload: .made(try spool.add(content)), place: event.place))
      }
      track.text = try CutError.ofText(described) { () throws(LibavError) in
        MadeText(codec: codec, parameters: try converter.parameters)
      }
    }

    /// Text as UTF-8, whatever it is: decoders refuse all of a packet for one wrong byte.
    ///
    /// Timed text has lengths and boxes around it.
    private static func readable(_ bytes: [UInt8], _ codec: String) -> [UInt8] {
      codec == "mov_text" ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
  }

  extension CutError {
    /// What is wrong with text that is converted is told of its track.
    fileprivate static func ofText<Result>(
      _ track: SourceTrack, _ body: () throws(LibavError) -> Result
    ) throws(CutError) -> Result {
      do throws(LibavError) {
        return try body()
      } catch {
        let named = "track \(track.facts.id) (\(track.facts.codec)): \(error.message)"
        throw CutError(CutError(error).code, named, hint: "Leave the track out (--tracks).")
      }
    }
  }
#endif
