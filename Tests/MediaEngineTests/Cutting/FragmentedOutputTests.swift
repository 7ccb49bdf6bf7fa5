import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(15))) struct `Given a cut that is written in fragments` {
  private static func request() throws -> CutRequest {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3))),
      verification: .full)
    request.isFragmented = true
    return request
  }

  private static func open(_ name: String) throws -> CutFilm {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(SampleFilms.path(name).utf8)))
  }

  @Test(arguments: ["b-frames.mp4", "open-gop.mp4", "hevc.mp4", "vfr.mp4", "at-limit.mp4"])
  func `then it has no sample outside a fragment, and is as long as its plan says`(
    _ name: String
  ) throws {
    let folder = try CutFolder()
    let film = try Self.open(name)
    let report = try film.cut(Self.request(), to: folder.bytes("o.mp4"), as: .mp4)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("o.mp4")))
    #expect(written.facts.container.isFragmented)
    #expect(written.facts.durations.presented?.length == report.plan.length)
    let frames = written.facts.tracks.filter { $0.kind == .video }.compactMap(\.frameCount)
    #expect(frames.reduce(0, +) == report.plan.frames)
  }

  @Test func `then sound is heard to the end of its last packet, and the plan says so`() throws {
    let plan = try Self.open("b-frames.mp4").plan(Self.request(), for: .mp4)
    let sound = try #require(plan.tracks.first { $0.kind == .audio })
    #expect(sound.reasons == ["ends_with_packet"])
    #expect(plan.length >= MediaDuration(5, 2))
  }

  @Test(arguments: [OutputContainer.matroska, .mpegts])
  func `then a container without fragments is refused`(_ container: OutputContainer) throws {
    let error = #expect(throws: CutError.self) {
      try Self.open("b-frames.mp4").plan(Self.request(), for: container)
    }
    #expect(error?.code == .codecDoesNotFit)
  }
}
