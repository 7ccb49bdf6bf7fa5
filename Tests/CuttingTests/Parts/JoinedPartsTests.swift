import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given several parts of a file that go into one file` {
  private typealias Cuts = `Given a file made by an encoder`

  private static func join(
    _ path: String, _ parts: [Range<Int>], to output: String, as ending: String
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let container = try #require(OutputContainer(nameEnding: ending))
    var request = CutRequest(range: try Cuts.range(parts[0]))
    for part in parts.dropFirst() { request.join(try Cuts.range(part)) }
    return try clip.cut(request, to: Array(output.utf8), as: container, replaces: true)
  }

  private static func check(
    _ encoded: EncodedClip, _ parts: [Range<Int>], _ comment: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    let output = folder.path(of: "joined." + encoded.ending)
    let report = try join(path, parts, to: output, as: encoded.ending)
    let places = parts.flatMap { Array($0) }
    #expect(report.plan.frames == places.count, "\(comment)")
    #expect(report.plan.length == MediaDuration(Int64(places.count), 25), "\(comment)")
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(log.isEmpty, "\(comment): \(log)")
    #expect(pictures.count == places.count, "\(comment)")
    for (number, (picture, place)) in zip(pictures, places).enumerated() {
      let error = Cuts.error(picture, source[place])
      #expect(error < Cuts.tolerated, "\(comment): frame \(number)")
    }
  }

  // The others are joined in another order, below.
  @Test(
    arguments: Sample.of(
      stride(from: 1, to: EncodedClip.all.count, by: 2).map {
        (EncodedClip.all[$0], UInt64($0 + 1))
      }, 4))
  func `when together they are all of it, split anywhere, then the output shows all of it`(
    _ encoded: EncodedClip, _ seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed &+ 1000)
    var ends = Set((0..<3).map { _ in Int.random(in: 1..<100, using: &generator) })
    ends.formUnion([0, EncodedClip.frameCount])
    let sorted = ends.sorted()
    try await Self.check(
      encoded, zip(sorted, sorted.dropFirst()).map { $0..<$1 }, "\(generator): \(sorted)")
  }

  @Test(
    arguments: Sample.of(
      stride(from: 0, to: EncodedClip.all.count, by: 2).map { EncodedClip.all[$0] }, 4))
  func `when they are in another order and overlap then each is shown as requested`(
    _ encoded: EncodedClip
  ) async throws {
    try await Self.check(encoded, [60..<75, 12..<36, 30..<41, 96..<100], "\(encoded)")
  }

  @Test(arguments: EncodedClip.all.filter { $0.testDescription.contains("open groups") })
  func `when one ends and the next begins with the keyframe of an open GOP then order is kept`(
    _ encoded: EncodedClip
  ) async throws {
    try await Self.check(encoded, [55..<61, 24..<33, 40..<49, 72..<73], "\(encoded)")
  }
}

@Suite struct `Given parts of a file with audio, text and chapters` {
  static let parts = [(3, 9), (20, 27), (12, 14)]

  private static func request() throws -> CutRequest {
    let ranges = parts.map { from, to in
      MediaTimeRange(from: MediaTime(Int64(from), 2), to: MediaTime(Int64(to), 2))
    }
    var request = CutRequest(range: try #require(ranges[0]))
    for range in ranges.dropFirst() { request.join(try #require(range)) }
    return request
  }

  @Test(arguments: ["at-limit.mp4", "under-limit.mp4", "sound-over-limit.mp4"])
  func `when they are joined then audio and video are as long as the parts`(
    _ name: String
  ) throws {
    let folder = try CutFolder()
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path(name).utf8)))
    let request = try Self.request()
    let plan = try clip.plan(request, for: .mp4)
    try #require(plan.parts.count == 3)
    let report = try clip.cut(request, to: folder.bytes("o.mp4"), as: .mp4)
    #expect(report.plan == plan)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("o.mp4")))
    #expect(written.facts.durations.presented?.length == plan.length)
    for track in written.facts.tracks where track.kind == .audio {
      #expect(track.durations.presented?.length == plan.length)
      #expect(track.durations.presented?.start == .zero)
    }
  }

  @Test func `when an edit list is to hide what is between them then it is refused`() throws {
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path("b-frames.mp4").utf8)))
    var request = try Self.request()
    request.mode = .editList
    #expect(throws: MediaError.self) { try clip.plan(request, for: .mp4) }
  }
}
