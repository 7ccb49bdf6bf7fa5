#if FFmpeg
  package import Trimming

  extension CutFilm {
    /// Whether the proof of a plan decodes: all of a short cut, some groups of a longer one, nothing of
    /// one that is only copied and long.
    package func decodesInProof(_ plan: CutPlan) -> Bool {
      switch plan.request.verification {
      case .none, .written: return false
      case .full: return true
      case .edges: break
      }
      let tracks = plan.parts.flatMap(\.tracks)
      let packets = { (track: PartPlan.Track) in
        track.video?.frameCount ?? track.audio?.packetCount ?? 0
      }
      let cost = tracks.reduce(Int64(0)) { sum, track in
        let count = packets(track)
        let cost = DecodingBudget.cost(
          of: source.stated[track.source].facts, packets: count,
          samples: Int64(count) * DecodingBudget.samplesPerPacket)
        return min(.max / 8, sum + cost)
      }
      let budget = DecodingBudget(total: cost, isFull: false)
      if budget.coversAll { return true }
      return tracks.contains { track in
        guard let copied = track.video?.copied else { return false }
        let coded = source.stated[track.source].coded.packets
        let groups = copied.clamped(to: coded.indices).count { coded[$0].isKey }
        return !budget.groups(of: groups).isEmpty
      }
    }
  }
#endif
