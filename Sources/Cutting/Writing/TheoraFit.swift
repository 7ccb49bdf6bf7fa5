#if FFmpeg
  import ExactTime
  import Trimming

  extension PacketWriter {
    /// For how many frames each picture of Theora stands, by track.
    ///
    /// Pages of Ogg know pictures by their number: one that stands for longer than a frame is followed
    /// by empty packets (Theora specification, 7.1 and A.2.3).
    ///
    /// - Throws: ``CutError`` where pictures do not come at the rate that their header states.
    func standing(_ tracks: [OutputTrack]) throws(CutError) -> [Int: Standing] {
      var found: [Int: Standing] = [:]
      guard rules.endsByPosition else { return found }
      for (index, track) in tracks.enumerated() where track.codec(in: source) == "theora" {
        let described = source.tracks[track.source]
        guard let frame = Self.frameOfTheora(described.configuration) else { continue }
        let times = track.packets.map { try? track.grid.duration(ofTicks: $0.pts) }
        var end: MediaDuration?
        if let first = times.first ?? nil {
          end = try? first.adding(track.shown.length)
        }
        let counts = zip(times, times.dropFirst() + [end]).map { time, next in
          time.flatMap { time in next.flatMap { Self.frames(from: time, to: $0, of: frame) } }
        }
        let shift = Self.positionBits(described.configuration)
        guard !counts.contains(nil),
          Self.fits(zip(track.packets, counts.compactMap { $0 }), positionBits: shift)
        else {
          throw CutError(
            .codecDoesNotFit,
            "pictures of track \(track.source + 1) (theora) do not follow each other at one rate, "
              + "which \(container.endings) cannot be written with", hint: "Write .mkv here.")
        }
        found[index] = Standing(frame: frame, counts: counts.compactMap { $0 })
      }
      return found
    }

    /// Whether the number of frames since a keyframe has room in a position (6.2, KFGSHIFT).
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
      /// Of each packet.
      var counts: [Int64]
    }

    /// `nil` where that is nowhere near a number of frames.
    private static func frames(
      from time: MediaDuration, to next: MediaDuration, of frame: MediaDuration
    ) -> Int64? {
      guard let step = try? next.subtracting(time).seconds.divided(by: frame.seconds),
        let count = try? max(1, step.rounded(.nearest)), count < 1 << 20,
        let error = try? step.subtracting(Rational(count)),
        let double = try? error.adding(error), double < .one, double > Rational(-1)
      else { return nil }
      return count
    }

    /// The identification header (Theora specification, 6.2); containers put sizes of their own before
    /// it.
    private static func header(_ configuration: [UInt8]) -> Int? {
      configuration.firstRange(of: [0x80] + Array("theora".utf8)).flatMap {
        configuration.count - $0.lowerBound >= 42 ? $0.lowerBound : nil
      }
    }

    private static func positionBits(_ configuration: [UInt8]) -> Int {
      guard let start = header(configuration) else { return 0 }
      return Int(configuration[start + 40] & 3) << 3 | Int(configuration[start + 41] >> 5)
    }

    /// What it states: FRD over FRN.
    private static func frameOfTheora(_ configuration: [UInt8]) -> MediaDuration? {
      guard let start = header(configuration) else { return nil }
      func number(at place: Int) -> Int64 {
        configuration[start + place..<start + place + 4].reduce(0) { $0 << 8 | Int64($1) }
      }
      let (frames, seconds) = (number(at: 22), number(at: 26))
      return frames > 0 && seconds > 0 ? MediaDuration(seconds, frames) : nil
    }
  }
#endif
