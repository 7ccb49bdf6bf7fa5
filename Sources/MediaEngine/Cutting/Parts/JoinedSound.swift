#if FFmpeg
  import ExactTime
  import MediaFacts
  import Trimming

  /// Codes the sound of several parts anew, as one: no part begins or ends with a packet.
  struct JoinedSound {
    let source: any CutSource
    let planners: [CutPlanner]
    let spool: PayloadSpool
    let limits: Limits
    let isCancelled: @Sendable () -> Bool

    func tracks() throws(CutError) -> [OutputTrack] {
      var codings: [Int: SoundCoding] = [:]
      for planned in planners.flatMap(\.planned) {
        if let coding = planned.sound { codings[planned.source] = coding }
      }
      var tracks: [OutputTrack] = []
      for (index, coding) in codings.sorted(by: { $0.key < $1.key }) {
        tracks.append(try track(index, coding))
      }
      return tracks
    }

    private func track(_ index: Int, _ coding: SoundCoding) throws(CutError) -> OutputTrack {
      let parts: [SoundPart]
      do throws(ExactTimeError) {
        parts = try self.parts(of: index)
      } catch {
        throw CutError.beyondNumbers
      }
      let making = SoundMaking(
        source: source, index: index, spool: spool, limits: limits, isCancelled: isCancelled)
      let result = try making.make(parts, coding)
      do throws(ExactTimeError) {
        let length = try result.sound.grid.duration(ofTicks: result.sound.sampleCount)
        var track = OutputTrack(
          source: index, audio: AudioCut(), zero: .zero, grid: result.sound.grid,
          shown: try MediaTimeRange(from: .zero, length: length))
        track.take(result)
        return track
      } catch {
        throw CutError.beyondNumbers
      }
    }

    /// What is heard of a track in each part: silence where it holds none.
    private func parts(of index: Int) throws(ExactTimeError) -> [SoundPart] {
      var parts: [SoundPart] = []
      var offset = MediaDuration.zero
      for planner in planners {
        let length = try planner.shownLength
        parts.append(
          SoundPart(
            cut: planner.planned.first { $0.source == index }?.audio ?? AudioCut(),
            range: try MediaTimeRange(from: planner.start, length: length), offset: offset))
        offset = try offset.adding(length)
      }
      return parts
    }
  }

  extension OutputTrack {
    /// Takes over sound that was coded anew.
    mutating func take(_ result: SoundMaking.Result) {
      packets = result.packets
      made = result.sound
      grid = result.sound.grid
      audio?.hiddenStart = result.hiddenStart
      audio?.hiddenEnd = result.hiddenEnd
    }
  }
#endif
