import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// As where segments of a stream were put end to end.
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC in a transport stream of which one packet overlaps half of the next` {
  private static func open(_ folder: ScratchFolder) async throws -> CutFilm {
    let path = folder.path(of: "sound.ts")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a", "aac",
      "-bsf:a", "setts=ts=if(gt(N\\,90)\\,PTS-512\\,PTS)", "-pes_payload_size", "0", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static let range = MediaTimeRange(from: MediaTime(1), to: MediaTime(3))

  @Test func `when it is cut into a file without times then it is refused, with where that is`()
    async throws
  {
    let folder = try ScratchFolder()
    let film = try await Self.open(folder)
    let request = CutRequest(range: try #require(Self.range))
    let error = #expect(throws: CutError.self) {
      try film.cut(CutOrder(request, to: Array(folder.path(of: "cut.aac").utf8)))
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("overlap") == true)
    let times = try #require(error?.times)
    #expect(times.start > MediaTime(18, 10) && times.end < MediaTime(21, 10))
  }

  @Test(arguments: ["mka", "ts"])
  func `when times are stated then it is cut`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let film = try await Self.open(folder)
    let request = CutRequest(range: try #require(Self.range))
    let report = try film.cut(
      CutOrder(request, to: Array(folder.path(of: "cut." + ending).utf8)))
    #expect(report.plan.tracks[0].packets > 90)
  }
}
