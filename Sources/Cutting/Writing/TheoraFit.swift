#if FFmpeg
  import ExactTime
  import Trimming

  extension PacketWriter {
    /// Pages of Ogg know pictures of Theora by their number (Theora specification, A.2.3): one that
    /// stands for longer is followed by empty packets, which FFmpeg's muxer cannot write.
    ///
    /// - Throws: ``CutError`` where pictures do not follow each other at the rate that their header states.
    func refuseStandingPictures(_ tracks: [OutputTrack]) throws(CutError) {
      guard rules.endsByPosition else { return }
      for track in tracks where track.codec(in: source) == "theora" {
        let described = source.tracks[track.source]
        guard let frame = Self.frameOfTheora(described.configuration) else { continue }
        let isEven = zip(track.packets, track.packets.dropFirst()).allSatisfy {
          guard let step = try? track.grid.duration(ofTicks: $1.pts &- $0.pts),
            let error = try? step.subtracting(frame).checkedMagnitude(),
            let double = try? error.adding(error)
          else { return false }
          return double < frame
        }
        guard isEven else {
          throw CutError(
            .codecDoesNotFit,
            "pictures of track \(track.source + 1) (theora) do not follow each other at one rate, "
              + "which \(container.endings) cannot be written with", hint: "Write .mkv here.")
        }
      }
    }

    /// What the identification header states: FRD over FRN (Theora specification, 6.2).
    ///
    /// Containers put sizes of their own before it.
    private static func frameOfTheora(_ configuration: [UInt8]) -> MediaDuration? {
      guard let start = configuration.firstRange(of: [0x80] + Array("theora".utf8))?.lowerBound,
        configuration.count - start >= 30
      else { return nil }
      func number(at place: Int) -> Int64 {
        configuration[start + place..<start + place + 4].reduce(0) { $0 << 8 | Int64($1) }
      }
      let (frames, seconds) = (number(at: 22), number(at: 26))
      return frames > 0 && seconds > 0 ? MediaDuration(seconds, frames) : nil
    }
  }
#endif
