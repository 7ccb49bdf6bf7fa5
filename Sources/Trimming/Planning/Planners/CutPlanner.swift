import ExactTime
import MediaFacts

/// Decides what a cut will do, from facts only: no file is opened here.
public struct CutPlanner {
  private let sources: [SourceFacts]
  private let rules: ContainerRules
  private let request: CutRequest

  /// Creates a planner; `rules` are those of the output container, `sources` are numbered as in the
  /// request.
  public init(_ sources: [SourceFacts], _ rules: ContainerRules, _ request: CutRequest) {
    self.sources = sources
    self.rules = rules
    self.request = request
  }

  /// The plan for the request; the same facts always give the same plan.
  ///
  /// - Throws: ``PlanningError``: the cut is refused, or facts must be gathered first.
  public func plan() throws(PlanningError) -> CutPlan {
    do throws(PlanRefusal) {
      try checkRequest()
    } catch {
      throw .refused(error)
    }
    var missing: Set<MissingFact> = []
    var parts: [PlannedPart] = []
    let counts = PartContext.SampleCounts()
    for index in request.parts.indices {
      let part: Result<PlannedPart, PlanRefusal>
      (part, missing) = PartPlanner.plan(
        sources[request.parts[index].source], rules, request, part: index, missing: missing,
        counts: counts)
      // A missing fact may be what causes a refusal.
      guard missing.isEmpty else { continue }
      switch part {
      case .success(let part): parts.append(part)
      case .failure(var refusal):
        if sources.count > 1 { refusal.source = request.parts[index].source }
        throw .refused(refusal)
      }
    }
    guard missing.isEmpty else { throw .missing(missing) }
    let plan: CutPlan
    do throws(ExactTimeError) {
      plan = try joined(parts)
    } catch {
      throw .refused(.beyondNumbers)
    }
    if let refusal = plan.descriptionRefusal(sources) ?? lengthRefusal(of: plan) {
      throw .refused(refusal)
    }
    return plan
  }

  private func lengthRefusal(of plan: CutPlan) -> PlanRefusal? {
    guard let hours = rules.times.longestHours, let length = try? plan.written.checkedLength(),
      length > MediaDuration(hours * 3600)
    else { return nil }
    return PlanRefusal(
      .notCuttable,
      "\(rules.ending) cannot hold more than \(hours) hours: its clock wraps",
      hint: "Write .mp4 or .mkv, or cut it into several files.")
  }

  private func checkRequest() throws(PlanRefusal) {
    guard request.parts.allSatisfy({ sources.indices.contains($0.source) }) else {
      throw PlanRefusal(
        .notCuttable, "a part of the request refers to a source that does not exist")
    }
    guard request.mode != .editList || rules.hidesFrames else {
      throw PlanRefusal(
        .codecDoesNotFit, "\(rules.ending) has no edit lists to hide frames with",
        hint: "These have them: .mp4, .mov.")
    }
    guard !request.isStrict || request.mode != .editList else {
      throw PlanRefusal(
        .notCuttable,
        "an edit list only hides what is outside the range; it stays in the file",
        hint: "Re-encode the edges.")
    }
    guard !request.isFragmented || rules.hasFragments else {
      throw PlanRefusal(
        .codecDoesNotFit, "\(rules.ending) has no fragments", hint: "These have them: .mp4, .mov.")
    }
    guard request.parts.count > 1 else { return }
    guard request.mode != .editList else {
      throw PlanRefusal(
        .notCuttable, "parts whose ends are marked by an edit list cannot be joined into one file",
        hint: "Write a file for each part, or re-encode the edges.")
    }
  }

  /// The plan of the concatenated parts.
  private func joined(_ parts: [PlannedPart]) throws(ExactTimeError) -> CutPlan {
    var written = try parts.first?.heardWritten() ?? request.parts[0].range
    if parts.count > 1 {
      var length = MediaDuration.zero
      for part in parts { length = try length.adding(part.plan.length) }
      // Re-encoded audio runs through all parts.
      let ends = try parts.flatMap(\.codedSound.values).map { (frames) throws(ExactTimeError) in
        try frames.filled(by: length)
      }
      let end = MediaTime(seconds: ends.reduce(length, max).seconds)
      written = MediaTimeRange(from: min(written.start, end), to: end) ?? written
    }
    var tracks: [Int: TrackPlan] = [:]
    for track in parts.flatMap(\.tracks) {
      tracks[track.index] = tracks[track.index]?.joined(with: track) ?? track
    }
    return CutPlan(
      sources: sources.map(\.identity), container: rules.container, request: request,
      parts: parts.map(\.plan), written: written,
      tracks: tracks.values.sorted { $0.index < $1.index })
  }
}

/// A planned part with the reports on its tracks.
struct PlannedPart {
  var plan: PartPlan
  /// Where it begins and ends on its own timeline.
  var written: MediaTimeRange
  var tracks: [TrackPlan]
  /// The frames (samples per packet) of tracks whose re-encoded audio plays to the end of its
  /// last packet.
  var codedSound: [Int: CodedFrames] = [:]

  /// The written range extended to the end of such audio.
  func heardWritten() throws(ExactTimeError) -> MediaTimeRange {
    var range = written
    for track in plan.tracks {
      guard let frames = codedSound[track.source] else { continue }
      let length = try frames.filled(by: track.outputRange.length)
      range = range.union(try MediaTimeRange(from: track.outputRange.start, length: length))
    }
    return range
  }
}
