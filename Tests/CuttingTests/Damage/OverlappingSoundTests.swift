import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Like where segments of a stream were concatenated.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC in a transport stream, with a packet that overlaps half of the next` {
  private static func open(_ folder: ScratchFolder) async throws -> OpenedFile {
    let path = folder.path(of: "sound.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a", "aac",
      "-bsf:a", "setts=ts=if(gt(N\\,90)\\,PTS-512\\,PTS)", "-pes_payload_size", "0", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static let range = MediaTimeRange(from: MediaTime(1), to: MediaTime(3))

  @Test func `when the output is audio only, without times, then it is re-encoded`() async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.open(folder)
    let output = folder.path(of: "cut.aac")
    let request = CutRequest(range: try #require(Self.range))
    let report = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.tracks[0].reasons.contains(.gapsOrOverlaps))
    let samples =
      try await EncodedClip.ffmpeg([
        "-v", "error", "-i", output, "-ac", "1", "-f", "s16le", "-",
      ]).out.count / 2
    // To the end of its last packet.
    #expect((96_000..<97_024).contains(samples))
  }

  @Test func `when packets go into a file without times then the cut is refused, with the place`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try await Self.open(folder)
    let request = CutRequest(range: try #require(Self.range))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(request, to: Array(folder.path(of: "cut.aac").utf8), as: .adts)
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("overlap") == true)
    let times = try #require(error?.times)
    #expect(times.start > MediaTime(18, 10) && times.end < MediaTime(21, 10))
  }

  @Test(arguments: ["mka", "ts"])
  func `when times are stated then it is cut`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.open(folder)
    let request = CutRequest(range: try #require(Self.range))
    let report = try clip.cut(
      CutOrder(request, to: Array(folder.path(of: "cut." + ending).utf8)))
    #expect(report.plan.tracks[0].packets > 90)
  }
}
