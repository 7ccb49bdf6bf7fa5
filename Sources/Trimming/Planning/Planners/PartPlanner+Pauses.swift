import ExactTime

extension PartPlanner {
  /// Refuses a pause of all tracks that readers of a transport stream take for a clock that is reset.
  mutating func checkPauses() throws(ExactTimeError) {
    guard rules.resetsAtPauses, refusal == nil else { return }
    let media = planned.map(\.plan).filter { $0.video != nil || $0.audio != nil }
    guard !media.isEmpty else { return }
    for plan in media where try !hasPause(plan) { return }
    refuse(
      PlanRefusal(
        .notCuttable,
        "nothing begins for over ten seconds of the range, which readers of \(rules.ending) take for a "
          + "clock that is reset",
        hint: "Write .mp4 or .mkv."))
  }

  private func hasPause(_ plan: PartPlan.Track) throws(ExactTimeError) -> Bool {
    let coded = tracks[plan.source].coded
    let ticks = try coded.ticks(of: range)
    let most = try coded.grid.ticks(of: Self.longestPause, rounding: .down)
    let packets = coded.packets.filter { ticks.contains($0.pts) }
    // The picture that stands at IN begins there.
    if plan.video != nil, let first = packets.lazy.map(\.pts).min(),
      first &- ticks.lowerBound > most
    {
      return true
    }
    // A PTS alone that is far ahead is damage.
    return zip(packets, packets.dropFirst()).contains { $1.dts &- $0.dts > most }
  }

  /// As long as a jump of the clock is, from which on it counts as reset.
  private static var longestPause: MediaDuration { MediaDuration(10) }
}
