#if FFmpeg
  import Libav
  import Trimming

  /// Where the packets of a track stand in the output, which are asked for in the order they are written in.
  protocol PacketPlaces {
    /// When a picture is shown, or sound is heard, by its tick in the source.
    func shown(_ sourceTick: Int64) throws(LibavError) -> Int64

    /// When the packet that is written next is shown or heard and decoded, in ticks of the output.
    ///
    /// - Parameter length: its own, in ticks of the output.
    mutating func place(
      _ packet: OutputPacket, lasting length: Int64
    ) throws(LibavError) -> (pts: Int64, dts: Int64)
  }

  extension PacketWriter {
    /// The places of each track's packets.
    func places(
      _ tracks: [OutputTrack], _ clocks: [OutputClock]
    ) throws(CutError) -> [any PacketPlaces] {
      // Subtitles have times of their own there, too.
      if rules.hasFixedFrameRate {
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
          guard rules.decodesFromZero || isCrowded else { continue }
          first = min(first, try timed[index].separateDecoding(of: track.packets))
        }
        if rules.decodesFromZero {
          for index in timed.indices { timed[index].delay = 0 &- first }
        }
      } catch {
        throw CutError(error)
      }
      return timed
    }
  }
#endif
