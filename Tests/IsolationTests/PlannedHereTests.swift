import ExactTime
import MediaEngine
import MediaFacts
import Support
import Synchronization
import Testing
import Trimming

@testable import Isolation

/// A file in a sealed process, with what was asked of it; answers can be replaced.
private final class Asked: Cuttable {
  enum Operation: Equatable { case learn, plan, cut, preview, layout }

  private let media: OpenedFile
  private(set) var operations: [Operation] = []
  var answers: ([LearnedFact]) -> [LearnedFact] = { $0 }
  var hasFFmpeg = true

  init(_ media: OpenedFile) { self.media = media }

  var facts: MediaFacts { media.facts }
  var frameStarts: FrameStarts? { media.frameStarts }

  func identity() throws(MediaError) -> SourceIdentity { try media.identity() }

  func learn(_ missing: [MissingFact]) throws(MediaError) -> [LearnedFact] {
    operations.append(.learn)
    guard hasFFmpeg || !missing.contains(.codecs(source: 0)) else {
      throw MediaError(.engineMissing, "FFmpeg is missing")
    }
    return answers(try media.learn(missing))
  }

  func plan(_ request: CutRequest, for container: OutputContainer) throws(MediaError) -> CutPlan {
    operations.append(.plan)
    return try media.plan(request, for: container)
  }

  func checkPlace(_ path: [UInt8], replaces: Bool) throws(MediaError) {
    try media.checkPlace(path, replaces: replaces)
  }

  func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool, keepsFailed: Bool,
    progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    operations.append(.cut)
    return try media.cut(
      plan, to: path, replaces: replaces, keepsFailed: keepsFailed, progress: progress)
  }

  func cut(
    _ plan: CutPlan, into output: PendingFile, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    operations.append(.cut)
    return try media.cut(plan, into: output, progress: progress)
  }

  func resultPictures(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> ResultPictures {
    operations.append(.preview)
    return try media.resultPictures(plan, beside: path, progress: progress)
  }

  func laidResult(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> LaidResult? {
    operations.append(.layout)
    return try media.laidResult(plan, beside: path, progress: progress)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given an MP4 whose cut encodes an edge` {
  private final class Rounds: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  private let folder: ScratchFolder
  private let rounds = Rounds()
  private let asked: Asked
  private let media: NativeFirstMedia
  private let request: CutRequest

  init() throws {
    folder = try ScratchFolder()
    let path = Array(SampleClips.path("b-frames.mp4").utf8)
    let asked = Asked(try FileCutter(isCancelled: { false }).open(.file(path: path)))
    self.asked = asked
    // Asked once before each round of planning.
    let native = try FileCutter(isCancelled: { [rounds] in
      rounds.add()
      return false
    }).open(.file(path: path))
    media = NativeFirstMedia(native, { asked })
    request = CutRequest(
      range: try #require(
        MediaTimeRange(
          from: MediaTime(seconds: Rational(3, 5)), to: MediaTime(seconds: Rational(5, 2)))))
  }

  @Test func `when it is planned and cut, then the sealed process never plans`() throws {
    let before = rounds.value
    let plan = try media.plan(request, for: .mp4)
    #expect(plan.tracks.contains { $0.encoded > 0 })
    #expect(rounds.value - before <= 3)
    let report = try media.cut(
      plan, to: Array(folder.path(of: "cut.mp4").utf8), replaces: false, keepsFailed: false,
      progress: { _ in true })
    #expect(report.plan == plan)
    #expect(asked.operations == [.learn, .cut])
  }

  @Test func `when it is previewed and laid out, then the sealed process never plans`() throws {
    let order = CutOrder(request, to: Array(folder.path(of: "cut.mp4").utf8))
    let plan = try media.plan(order)
    let preview = try media.resultPictures(order) { _ in true }
    #expect(preview.seams == plan.tracks.flatMap(\.seams))
    let laid = try #require(try media.laidResult(order) { _ in true })
    #expect(laid.end == MediaTime(seconds: plan.length.seconds))
    #expect(asked.operations == [.learn, .preview, .layout])
    #expect(folder.names.isEmpty)
  }

  /// The facts of a process in which no encoder is found.
  private func hideEncoders() {
    asked.answers = {
      $0.map { fact in
        guard case .encoder(let source, let track, _) = fact else { return fact }
        return .encoder(source: source, track: track, isAvailable: false)
      }
    }
  }

  @Test func `when there is no encoder for it, then it is refused without planning it again`() {
    hideEncoders()
    let error = #expect(throws: MediaError.self) { try media.plan(request, for: .mp4) }
    #expect(error?.code == .codecMissing)
    #expect(asked.operations == [.learn, .learn])
  }

  @Test func `when there is no FFmpeg at all, then that is said to be missing`() {
    hideEncoders()
    asked.hasFFmpeg = false
    let error = #expect(throws: MediaError.self) { try media.plan(request, for: .mp4) }
    #expect(error?.code == .engineMissing)
    #expect(asked.operations == [.learn, .learn])
  }

  @Test func `when it is planned again, then nothing is asked again`() throws {
    let plan = try media.plan(request, for: .mp4)
    #expect(try media.plan(request, for: .mp4) == plan)
    #expect(asked.operations == [.learn])
  }

  @Test func `then the plan is that of one process alone`() throws {
    let path = Array(SampleClips.path("b-frames.mp4").utf8)
    let alone = try FileCutter(isCancelled: { false }).open(.file(path: path))
    #expect(try media.plan(request, for: .mp4) == alone.plan(request, for: .mp4))
  }

  @Test(arguments: [
    [],
    [LearnedFact.holders(source: 7, track: 0, containers: [])],
    [.holders(source: 0, track: -1, containers: [])],
    [.decoder(source: 0, track: 99, isAvailable: true)],
    [.access(source: 0, track: 0, kinds: [1_000_000: .idr])],
    [.codecs(source: 0)],
    [.packetLengths(source: 0, track: 1, counts: [1])],
    [.soundEntry(source: 0, track: 1, place: 3, entry: AudioEntry(before: 9, next: -4))],
  ])
  func `when the sealed process answers something else, then that is refused`(
    _ answers: [LearnedFact]
  ) throws {
    asked.answers = { _ in answers }
    let error = #expect(throws: MediaError.self) { try media.plan(request, for: .mp4) }
    #expect(error?.code == .internalError)
  }

  @Test(arguments: [
    MissingFact.decoder(source: 1, track: 0), .encoder(source: 0, track: -1),
    .access(source: 0, track: 0, place: 1_000_000), .holders(source: 0, track: .max),
    .soundEntry(source: .min, track: 0, place: 0),
  ])
  func `when facts of another file are asked for, then the sealed process refuses`(
    _ fact: MissingFact
  ) throws {
    let error = #expect(throws: MediaError.self) { try asked.learn([fact]) }
    #expect(error?.code == .internalError)
  }
}
