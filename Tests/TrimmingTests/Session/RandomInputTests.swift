import ExactTime
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given random and extreme inputs` {
  /// Difficult times: boundaries, the limits of 64 bits, coprime denominators.
  private static func time(_ random: inout SeededGenerator) -> MediaTime {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: at(.random(in: .min...(.max), using: &random))
    case 1:
      at(
        .random(in: -(.max)...(.max), using: &random), .random(in: 1...(.max), using: &random))
    case 2:
      [at(.max), at(.min + 1), at(1, .max), at(.max - 1, .max), .zero].randomElement(
        using: &random) ?? .zero
    case 3: at(.random(in: -300...9_300, using: &random) * 1_001, 30_000)
    case 4: at(.random(in: 0...300, using: &random), 2)
    default: at(.random(in: -1_000...31_000, using: &random), 100)
    }
  }

  private static func step(_ random: inout SeededGenerator) -> NudgeStep {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .frames([.min, -1, 0, 1, 2, .max].randomElement(using: &random) ?? 0)
    case 1: .keyframes(.random(in: -3...3, using: &random))
    case 2: .seconds(time(&random).seconds)
    default: .seconds(Rational(.random(in: -20...20, using: &random)))
    }
  }

  private static func input(_ random: inout SeededGenerator) -> SessionInput {
    let id = Int.random(in: 0...3, using: &random)
    return switch Int.random(in: 0..<61, using: &random) {
    case 59:
      .sourceDidAdd(
        TrimmingSource(
          location: "other", bounds: range(.zero, max(.zero, time(&random))),
          timings: Clip.timings))
    case 60:
      .partDidAppend(source: id, range: MediaTimeRange(from: time(&random), to: time(&random)))
    case 40: .partDidAdd(range: nil)
    case 41: .partDidAdd(range: MediaTimeRange(from: time(&random), to: time(&random)))
    case 42: .partDidSplit
    case 43: .partDidDelete(id: Bool.random(using: &random) ? nil : id)
    case 44: .partDidMove(by: [.min, -1, 0, 1, .max].randomElement(using: &random) ?? 0)
    case 45: .partDidRename(id: id, name: "part \(id)")
    case 46: .partDidSelect(id: id)
    case 47: .rangeDidRemove
    case 50: .markerDidAdd
    case 51: .markerDidRename(id: id, name: "marker \(id)")
    case 52: .markerDidDelete(id: Bool.random(using: &random) ? nil : id)
    case 53: .markerDidStep(by: [.min, -1, 0, 1, .max].randomElement(using: &random) ?? 0)
    case 54:
      .findingsDidArrive(
        (0..<6).compactMap { number in
          MediaTimeRange(from: time(&random), to: time(&random)).map {
            TrimmingFinding(id: number / 2, kind: number < 3 ? .scene : .silence, range: $0)
          }
        })
    case 55: .findingsDidKeep(ids: Bool.random(using: &random) ? nil : [id])
    case 56:
      .findingsDidRemove(
        ids: Bool.random(using: &random) ? nil : [id, 1],
        margin: MediaDuration(seconds: time(&random).seconds))
    case 57: .findingsDidSplit(ids: Bool.random(using: &random) ? nil : [id])
    case 58:
      .findingDidStep(
        by: [.min, -1, 0, 1, .max].randomElement(using: &random) ?? 0,
        kind: [nil, .silence].randomElement(using: &random) ?? nil)
    case 48: .joinDidChange(.random(using: &random))
    case 49:
      .limitDidChange(
        LengthLimit(maximum: [nil, MediaDuration(121, 2)].randomElement(using: &random) ?? nil))
    case 0..<10: .timeRangeDidChange(from: time(&random), to: time(&random))
    case 10..<17: .playbackTimeDidChange(currentTime: time(&random))
    case 17: .playbackPassesDidEnd(count: .random(in: .min...(.max), using: &random))
    case 18, 19: .playheadDidMove(to: time(&random))
    case 20: .playDidTap
    case 21: .pauseDidTap
    case 22: .inPointDidSet
    case 23: .outPointDidSet
    case 24, 25, 26:
      .nudge(Handle.allCases.randomElement(using: &random) ?? .playhead, by: step(&random))
    case 27: .snapDidChange(Snap.allCases.randomElement(using: &random) ?? .off)
    case 28: .undoDidTap
    case 29: .redoDidTap
    case 30: .dragDidBegin
    case 31: .dragDidEnd
    case 32: .exportDidTap
    case 33: .exportDidProgress(id: id, fraction: time(&random).seconds)
    case 34: .exportDidFinish(id: id, location: "out.mp4")
    case 35: .exportDidFail(id: id, message: "no")
    case 36: .exportCancelDidTap
    case 37: .exportDidCancel(id: id)
    case 38:
      .videoDidLoad(
        VideoTimings(
          bounds: MediaTimeRange(from: time(&random), to: time(&random)), frames: Clip.frames,
          keyframes: Clip.keyframes))
    default: .videoDidLoad(Clip.timings)
    }
  }

  @Test(arguments: [1, 2, 3, 20_250_601] as [UInt64])
  func `then 10,000 of them break no rule`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var session = Clip.session(range(at(0), at(121, 2)))
    for number in 1...10_000 {
      let input = Self.input(&random)
      let effects = session.handle(input)
      let context: Comment = "input \(number) of seed \(seed): \(input)"
      let range = session.timeRange
      let isUsable = !session.bounds.isEmpty
      #expect(session.bounds.contains(range), context)
      #expect(!isUsable || !range.isEmpty, context)
      for part in session.parts {
        let bounds = session.sources[part.source].bounds
        #expect(bounds.contains(part.range), context)
        #expect(bounds.isEmpty || !part.range.isEmpty, context)
      }
      #expect(Set(session.parts.map(\.id)).count == session.parts.count, context)
      if session.isVideoLengthValid, session.limit.maximum != nil {
        let isShort = (try? range.checkedLength()).map { $0 < MediaDuration(121, 2) } ?? false
        #expect(isShort, context)
      }
      if session.isPlaying { #expect(range.contains(session.playbackTime), context) }
      #expect(
        session.bounds.start <= session.playbackTime && session.playbackTime <= session.bounds.end,
        context)
      for request in effects.exports {
        let total = request.parts.reduce(MediaDuration.zero) { $0 + $1.range.length }
        let lengths = request.joins ? [total] : request.parts.map(\.range.length)
        #expect(lengths.allSatisfy(request.limit.isValid), context)
      }
      if number.isMultiple(of: 40) {
        #expect(throws: Never.self, context) { try expectSame(.input(input)) }
        #expect(throws: Never.self, context) { try expectSame(.screen(session.screen)) }
        for event in effects.reported {
          #expect(throws: Never.self, context) { try expectSame(.event(event)) }
        }
      }
      if case .failed = session.phase { session.after(.retryDidTap, .videoDidLoad(Clip.timings)) }
    }
  }
}
