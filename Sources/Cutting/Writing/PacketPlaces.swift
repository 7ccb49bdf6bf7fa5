import Libav
import MediaFiles
import Trimming

/// Timestamps of a track's packets in the output, requested in writing order.
protocol PacketPlaces {
  /// When the picture or audio at a source tick is presented.
  func shown(_ sourceTick: Int64) throws(LibavError) -> Int64

  /// PTS and DTS of the packet that is written next, in ticks of the output.
  ///
  /// - Parameter length: the packet's duration, in ticks of the output.
  mutating func place(
    _ packet: OutputPacket, lasting length: Int64
  ) throws(LibavError) -> (pts: Int64, dts: Int64)
}

extension PacketWriter {
  /// The timestamps of each track's packets.
  func places(
    _ tracks: [OutputTrack], _ clocks: [OutputClock]
  ) throws(MediaError) -> [any PacketPlaces] {
    // In such containers, subtitles keep their own times.
    if rules.pictures.hasFixedFrameRate {
      return zip(tracks, clocks).map { track, clock -> any PacketPlaces in
        if track.isMedia { return CountedPlaces(track, clock) }
        return TimedPlaces(track, clock)
      }
    }
    var timed = zip(tracks, clocks).map { TimedPlaces($0, $1) }
    do throws(LibavError) {
      var first: Int64 = 0
      for (index, track) in tracks.enumerated() where !track.packets.isEmpty {
        let isCrowded = try timed[index].crowdsDecoding(of: track.packets)
        guard rules.times.decodesFromZero || isCrowded else { continue }
        first = min(first, try timed[index].separateDecoding(of: track.packets))
      }
      if rules.times.decodesFromZero {
        for index in timed.indices { timed[index].delay = 0 &- first }
      }
    } catch {
      throw MediaError(cutting: error)
    }
    return timed
  }
}
