import ExactTime

extension PartPlanner {
  /// Refuses a gap across all tracks that readers would treat as a clock reset.
  mutating func checkPauses() throws(ExactTimeError) {
    guard let longest = rules.longestPause, refusal == nil else { return }
    let media = planned.map(\.plan).filter { $0.video != nil || $0.audio != nil }
    guard let first = media.first else { return }
    for pause in try pauses(of: first, over: longest) {
      var isFilled = false
      for other in media.dropFirst() where try beginsAnything(of: other, in: pause) {
        isFilled = true
      }
      if isFilled { continue }
      refuse(
        PlanRefusal(
          .notCuttable,
          "no packet begins for more than ten minutes of the range, which readers of "
            + "\(rules.ending) treat as a clock reset",
          hint: "Write .mp4 or .mkv."))
      return
    }
  }

  /// Where no packet of a track begins for longer than a length; the frame on screen at IN counts as
  /// beginning there.
  private func pauses(
    of plan: PartPlan.Track, over length: MediaDuration
  ) throws(ExactTimeError) -> [MediaTimeRange] {
    let coded = tracks[plan.source].coded
    let ticks = try coded.ticks(of: range)
    let most = try coded.grid.ticks(of: length, rounding: .down)
    var last = ticks.lowerBound
    var pauses: [MediaTimeRange] = []
    for place in coded.packets.indices where ticks.contains(coded.packets[place].pts) {
      // A PTS far ahead of its DTS is damage.
      let begin = min(coded.packets[place].pts, coded.packets[place].dts)
      if begin &- last > most,
        let pause = MediaTimeRange(
          from: try coded.time(atTick: last), to: try coded.time(atTick: begin))
      {
        pauses.append(pause)
      }
      last = max(last, begin)
    }
    return pauses
  }

  private func beginsAnything(
    of plan: PartPlan.Track, in pause: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    let coded = tracks[plan.source].coded
    let ticks = try coded.ticks(of: pause)
    return coded.packets.contains { ticks.contains($0.pts) && $0.pts > ticks.lowerBound }
  }
}
