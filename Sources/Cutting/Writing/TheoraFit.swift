import Bitstreams
import ExactTime
import MediaFacts
import MediaFiles
import Trimming

extension PacketWriter {
  /// The number of frames that each Theora picture lasts, by track.
  ///
  /// Ogg pages identify pictures by number: one that lasts longer than a frame is followed by
  /// empty packets (Theora specification, 7.1 and A.2.3).
  ///
  /// - Throws: ``MediaError`` where pictures do not match the frame rate in their header.
  func standing(_ tracks: [OutputTrack]) throws(MediaError) -> [Int: Standing] {
    var found: [Int: Standing] = [:]
    guard rules.audio.endsByPosition else { return found }
    for (index, track) in tracks.enumerated() where track.codec(in: source) == .theora {
      let described = source.tracks[track.source]
      guard let header = TheoraHeader(configuration: described.configuration),
        let length = try? Rational.one.divided(by: header.framesPerSecond)
      else { continue }
      let frame = MediaDuration(seconds: length)
      let times = track.packets.map { try? track.grid.duration(ofTicks: $0.pts) }
      var end: MediaDuration?
      if let first = times.first ?? nil {
        end = try? first.adding(track.shown.length)
      }
      let counts = zip(times, times.dropFirst() + [end]).map { time, next in
        time.flatMap { time in next.flatMap { FrameNumbers.frames(from: time, to: $0, of: frame) }
        }
      }
      guard !counts.contains(nil),
        Self.fits(zip(track.packets, counts.compactMap { $0 }), positionBits: header.positionBits)
      else {
        throw MediaError(
          .codecDoesNotFit,
          "frames of track \(track.source + 1) (theora) do not fit a constant frame rate, "
            + "so they cannot be written to \(container.endings)", hint: "Write .mkv instead.")
      }
      found[index] = Standing(frame: frame, counts: counts.compactMap { $0 })
    }
    return found
  }

  /// Whether the number of frames since a keyframe fits into a granule position (6.2, KFGSHIFT).
  private static func fits(
    _ pictures: Zip2Sequence<ContiguousArray<OutputPacket>, [Int64]>, positionBits: Int
  ) -> Bool {
    var since: Int64 = 0
    for (packet, count) in pictures {
      since = (packet.isKey ? 0 : since) + count
      if since > 1 << positionBits { return false }
    }
    return true
  }

  struct Standing {
    var frame: MediaDuration
    /// For each packet.
    var counts: [Int64]
  }
}
