import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

extension PacketWriter {
  /// The writer of an MPEG program stream with these tracks.
  func programWriter(
    _ tracks: [OutputTrack], wait: Rational, to output: any ByteOutput
  ) throws(MediaError) -> ProgramWriter {
    var streams: [ProgramStream] = []
    for track in tracks {
      let codec = track.codec(in: source)
      let facts = source.tracks[track.source].facts
      guard
        let stream = ProgramStream(codec: codec, kind: facts.kind, behind: streams)
      else {
        throw MediaError(
          .notCuttable, "\(rules.ending) has no stream ID left for \(codec)",
          hint: "Choose fewer tracks (tracks), or write .mkv.")
      }
      streams.append(stream)
    }
    let schedule = ProgramSchedule(
      try packets(tracks, wait: wait), streamCount: streams.count)
    return ProgramWriter(output, streams: streams, schedule)
  }

  /// All packets in writing order, with DTS on a 90 kHz clock.
  private func packets(
    _ tracks: [OutputTrack], wait: Rational
  ) throws(MediaError) -> [ProgramSchedule.Packet] {
    let tick = TickGrid(ticksPerSecond: ProgramWriter.ticksPerSecond).secondsPerTick
    let clocks = tracks.map { OutputClock($0, tick: tick, lead: lead(of: $0, wait)) }
    var next = tracks.map { _ in 0 }
    var packets: [ProgramSchedule.Packet] = []
    packets.reserveCapacity(tracks.reduce(0) { $0 + $1.packets.count })
    do throws(LibavError) {
      while let track = earliest(tracks, next, clocks) {
        let packet = tracks[track].packets[next[track]]
        next[track] += 1
        let (pts, dts) = (try clocks[track].tick(packet.pts), try clocks[track].tick(packet.dts))
        // Timestamps have 33 bits (2.4.3.6).
        guard (0..<1 << 33).contains(dts), (0..<1 << 33).contains(pts) else {
          throw LibavError(.notAllowed, "a program stream is limited to 26.5 hours")
        }
        packets.append(.init(stream: track, dts: dts, byteCount: packet.byteCount))
      }
    } catch {
      throw MediaError(
        .notCuttable, error.message, hint: "Cut a shorter range, or write .mkv.")
    }
    return packets
  }
}
