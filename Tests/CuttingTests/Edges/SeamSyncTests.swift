import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a cut of open GOPs that begins with re-encoded pictures` {
  /// A player that starts at the first copied picture lacks the pictures before it, and shows its
  /// leading pictures wrong.
  @Test(arguments: ["mp4", "mkv"])
  func `then the first copied picture is no random access point, and later keyframes are`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = EncodedClip.named("H.264, open groups with a pyramid")
    let path = try await clip.make(in: folder)
    let cutter = FileCutter(isCancelled: { false })
    let output = folder.path(of: "cut." + ending)
    let container = try #require(OutputContainer(nameEnding: ending))
    let source = try cutter.open(.file(path: Array(path.utf8)))
    let request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(16, 25), to: MediaTime(70, 25))))
    let report = try source.cut(request, to: Array(output.utf8), as: container)
    let head = try #require(report.plan.tracks.first?.encodedHead)
    try #require(head > 0)
    let cut = try cutter.open(.file(path: Array(output.utf8)))
    let keys = cut.source.tracks[0].coded.packets.filter(\.isKey)
    let times = try keys.map { try cut.source.tracks[0].coded.time(atTick: $0.pts) }
    // The source's keyframes are 12 pictures apart: those at 24, 36, 48 and 60 are in the range.
    func place(_ picture: Int64) -> MediaTime { MediaTime(picture - 16, 25) }
    #expect(times.contains(place(16)))
    #expect(!times.contains(place(24)))
    #expect(times.contains(place(36)) && times.contains(place(48)))
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(pictures.count == 54)
    #expect(log.isEmpty, "\(log)")
  }
}
