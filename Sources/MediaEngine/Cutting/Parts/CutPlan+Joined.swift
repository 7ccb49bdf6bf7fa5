#if FFmpeg
  import ExactTime
  import Trimming

  extension CutPlan {
    /// What several parts are that stand one behind the other.
    ///
    /// - Parameter length: of all of them.
    static func joined(_ plans: [CutPlan], length: MediaDuration) -> CutPlan? {
      guard var result = plans.first else { return nil }
      result.parts = plans.flatMap(\.parts)
      var tracks: [Int: TrackPlan] = [:]
      for plan in plans {
        result.requested = result.requested.union(plan.requested)
        for track in plan.tracks {
          tracks[track.index] = tracks[track.index]?.joined(with: track) ?? track
        }
      }
      result.tracks = tracks.values.sorted { $0.index < $1.index }
      let end = MediaTime(seconds: length.seconds)
      result.written =
        MediaTimeRange(from: min(result.written.start, end), to: end) ?? result.written
      return result
    }
  }

  extension TrackPlan {
    fileprivate func joined(with other: TrackPlan) -> TrackPlan {
      guard dropped == nil else { return other }
      guard other.dropped == nil else { return self }
      var result = self
      result.packets += other.packets
      result.encoded += other.encoded
      result.encodedHead += other.encodedHead
      result.encodedTail += other.encodedTail
      result.copiedBytes += other.copiedBytes
      result.hidden += other.hidden
      if let more = other.source { result.source = result.source?.union(more) ?? more }
      result.reasons += other.reasons.filter { !reasons.contains($0) }
      return result
    }
  }
#endif
