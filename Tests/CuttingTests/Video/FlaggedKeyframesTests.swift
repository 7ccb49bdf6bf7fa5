import Bitstreams
import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// The codec is not parsed or encoded here, and its pictures are in order: the container's keyframe
/// flag is enough.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given pictures of a codec that is not parsed here` {
  private static func cut(
    _ codec: String, _ ending: String, from: MediaTime, mode: CutMode = .smart
  ) async throws -> (report: CutReport, pictures: [Substring], all: [Substring]) {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip." + ending), folder.path(of: "cut.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=80x64:r=25:d=4", "-c:v", codec, "-g", "25",
      "-strict", "-2", path,
    ])
    let range = try #require(MediaTimeRange(from: from, to: MediaTime(16, 5)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(
        CutRequest(range: range, mode: mode, verification: .full), to: Array(output.utf8)))
    return (
      report, try await EncodedClip.pictures(of: output),
      try await EncodedClip.pictures(of: path)
    )
  }

  @Test(arguments: [("svq1", "mov"), ("cinepak", "avi"), ("snow", "avi")])
  func `when a part begins with a keyframe then it is copied, up to any picture`(
    _ codec: String, _ ending: String
  ) async throws {
    let cut = try await Self.cut(codec, ending, from: MediaTime(1))
    #expect(cut.report.plan.tracks[0].encoded == 0)
    #expect(cut.pictures == Array(cut.all[25..<80]))
    // What was not examined is listed.
    #expect(cut.report.examination?.tracks.first?.decoded == 0)
  }

  @Test
  func
    `when it begins elsewhere then it is refused, and copied from the keyframe that the hint names`()
    async throws
  {
    let error = await #expect(throws: MediaError.self) {
      try await Self.cut("svq1", "mov", from: MediaTime(6, 5))
    }
    #expect(error?.code == .codecMissing)
    let cut = try await Self.cut("svq1", "mov", from: MediaTime(6, 5), mode: .copy)
    #expect(cut.pictures.first == cut.all[25])
  }

  @Test func `when it may be reordered without signaling then its keyframes are not trusted`() {
    #expect(RandomAccess.trustsFlags(codec: "svq1", reorders: true))
    #expect(!RandomAccess.trustsFlags(codec: "vc1", reorders: true))
    #expect(RandomAccess.trustsFlags(codec: "wmv3", reorders: false))
    // The bitstream is parsed instead.
    #expect(!RandomAccess.trustsFlags(codec: "h264", reorders: false))
  }

  /// STRUCT_C of VC-1's main profile, without B pictures and with one (SMPTE 421M, annex J.1.1, MAXBFRAMES).
  @Test(arguments: [([0x46, 0x69, 0x0A, 0x01], true), ([0x46, 0x69, 0x0A, 0x11], false)])
  func `when Windows Media's headers rule out B pictures then it is copied into Matroska`(
    _ header: [UInt8], _ isCopied: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.wmv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-c:v", "wmv2", "-g", "25",
      path,
    ])
    // There is no encoder for it: pictures of another codec are relabeled.
    var bytes = try fileBytes(path)
    while let name = bytes.firstRange(of: Array("WMV2".utf8)) {
      bytes.replaceSubrange(name, with: Array("WMV3".utf8))
      let place = name.upperBound + 20
      bytes.replaceSubrange(place..<place + 4, with: header)
    }
    try folder.write(bytes, to: "clip.wmv")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.tracks[0].codec == "wmv3")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let output = folder.path(of: "cut.mkv")
    guard isCopied else {
      #expect(throws: MediaError.self) { try clip.plan(CutRequest(range: range), for: .matroska) }
      return
    }
    let report = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    #expect(report.plan.frames == 25)
    #expect(report.plan.encodedFrames == 0)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(written.facts.tracks[0].codec == "wmv3")
    #expect(written.facts.durations.presented?.length == MediaDuration(1))
  }
}
