import Bitstreams
import ExactTime
import MediaFacts
import MediaFiles
import Probing

extension MediaTimeline {
  /// The packets of an FLV that are hidden from FFmpeg because it does not support their codecs,
  /// by track.
  static func foreign(_ file: InputFile, _ facts: MediaFacts) -> [Int: [TimelinePacket]] {
    guard facts.container.rules.isFLV else { return [:] }
    var laid: [Int: [TimelinePacket]] = [:]
    if let track = facts.tracks.first(where: { $0.kind == .video }),
      let pictures = FLVPictures(file, isKnown: { $0 != track.codec })
    {
      laid[track.index] = packets(pictures.stamps, track)
    }
    let named = facts.tracks.filter { $0.kind == .audio && $0.codecTag != nil }
    for (track, sound) in zip(named, named.isEmpty ? [] : FLVAudio.tracks(in: file)) {
      laid[track.index] = packets(sound.stamps, track)
    }
    return laid
  }

  /// The packets, each lasting until the next begins, because tags state no durations.
  private static func packets(_ stamps: [PacketStamp], _ track: TrackFacts) -> [TimelinePacket] {
    guard let grid = track.grid else { return [] }
    let timed = stamps.compactMap { stamp in
      (stamp.pts ?? stamp.dts).flatMap { try? grid.time(atTick: $0) }.map { ($0, stamp) }
    }.sorted { $0.0 < $1.0 }
    return timed.indices.map { place in
      let (start, stamp) = timed[place]
      let end =
        place + 1 < timed.count ? timed[place + 1].0 : track.durations.presented?.end ?? start
      return TimelinePacket(
        start: start, end: max(start, end), byteCount: stamp.byteCount,
        isKey: stamp.isKey || track.kind == .audio, isHidden: stamp.isHidden)
    }
  }
}
