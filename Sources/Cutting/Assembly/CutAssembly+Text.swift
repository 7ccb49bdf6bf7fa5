import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

extension CutAssembly {
  /// Converts subtitles to another text codec.
  ///
  /// - Parameter range: the range in which they are shown, in ticks of the track.
  func convert(
    _ track: inout OutputTrack, into codec: Codec, in range: Range<Int64>
  ) throws(MediaError) {
    let described = source.tracks[track.source]
    guard plan.container.rules.labels.textCodec == codec,
      SubtitleCodec.isText(described.facts.codec)
    else {
      throw MediaError(
        .planDiffers, "the plan converts \(described.facts.codec) to \(codec)",
        hint: "Plan the cut again: this version does not make such plans.")
    }
    let converter = try source.withDemuxer { (demuxer) throws(MediaError) in
      try MediaError.ofText(described) { () throws(LibavError) in
        try demuxer.textConverter(forStream: described.stream, into: codec)
      }
    }
    var events = TextEvents<TextConverter.Line>()
    for packet in track.packets {
      guard !isCancelled() else { throw MediaError.cancelled }
      let bytes = try packet.bytes(of: source, track: track.source, spool)
      let lines = try MediaError.ofText(described) { () throws(LibavError) in
        try Self.lines(of: bytes, described.facts.codec, converter)
      }
      events.append(lines, from: packet.pts, lasting: packet.duration, place: packet.place)
    }
    track.packets = []
    let isISO = plan.container.isISO
    func write(_ event: TextEvents<TextConverter.Line>.Event) throws(MediaError) {
      guard !isCancelled() else { throw MediaError.cancelled }
      let bytes = try MediaError.ofText(described) { () throws(LibavError) in
        try converter.packet(of: event.lines)
      }
      // A zero length is a timed text sample that shows nothing (3GPP TS 26.245, 5.17).
      let content = bytes.isEmpty && isISO ? [0, 0] : bytes
      guard !content.isEmpty, isISO || lasts(event.range, track.grid) else { return }
      track.packets.append(
        OutputPacket(
          pts: event.range.lowerBound, dts: event.range.lowerBound,
          duration: Int64(event.range.count), isKey: true, byteCount: content.count,
          payload: .made(try spool.add(content)), place: event.place))
    }
    if isISO {
      try events.oneAtATime(in: range, write)
    } else {
      for event in events.events { try write(event) }
    }
    track.text = try MediaError.ofText(described) { () throws(LibavError) in
      MadeText(codec: codec, parameters: try converter.parameters)
    }
  }

  /// Whether a text is visible: Matroska's milliseconds may round to a zero duration, which means
  /// until the next one.
  private func lasts(_ range: Range<Int64>, _ grid: TickGrid) -> Bool {
    guard let length = try? grid.duration(ofTicks: Int64(range.count)) else { return false }
    return length >= MediaDuration(1, 1000)
  }

  /// Decoders reject an entire packet for one byte that is not UTF-8, and a timed text sample for
  /// styles out of range.
  private static func lines(
    of bytes: [UInt8], _ codec: Codec, _ converter: TextConverter
  ) throws(LibavError) -> [TextConverter.Line] {
    guard codec == .movText else { return try converter.lines(of: ReadableText.of(bytes)) }
    let sample = TimedText(bytes)
    do throws(LibavError) {
      return try converter.lines(of: sample.bytes)
    } catch {
      return try converter.lines(of: sample.withoutBoxes.bytes)
    }
  }
}

extension MediaError {
  /// Adds the track to errors about converted text.
  fileprivate static func ofText<Result>(
    _ track: SourceTrack, _ body: () throws(LibavError) -> Result
  ) throws(MediaError) -> Result {
    do throws(LibavError) {
      return try body()
    } catch {
      let named = "track \(track.facts.id) (\(track.facts.codec)): \(error.message)"
      throw MediaError(
        MediaError(cutting: error).code, named, hint: "Leave the track out (tracks).")
    }
  }
}
