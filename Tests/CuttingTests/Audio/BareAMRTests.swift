import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

/// AMR with only its file header (RFC 4867, 5): frames of 20 ms whose first byte gives their size.
@Suite(.timeLimit(.minutes(1))) struct `Given a file of bare AMR` {
  private static let header = Array("#!AMR\n".utf8)

  /// The n-th of its frames, at 12.2 kb/s.
  private static func frame(_ number: Int) -> [UInt8] {
    [0x3C] + (0..<31).map { UInt8(truncatingIfNeeded: number &* 7 &+ $0) }
  }

  private static func clip(_ folder: ScratchFolder) throws -> OpenedFile {
    try folder.write(header + (0..<100).flatMap(frame), to: "sound.amr")
    return try FileCutter(isCancelled: { false }).open(
      .file(path: Array(folder.path(of: "sound.amr").utf8)))
  }

  @Test func `when it is cut then its frames are copied`() throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.amr")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(11, 10)))
    _ = try Self.clip(folder).cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    #expect(try fileBytes(output) == Self.header + (25..<55).flatMap(Self.frame))
  }

  /// As phones write it: five frames in a sample (3GPP TS 26.244, 6.7, `frames_per_sample`).
  private static let telephone: ClipBuilder = {
    var track = ClipBuilder.Track()
    track.handler = "soun"
    track.entry = ClipBuilder.audioEntry(
      "samr", channels: 1, rate: 8000,
      [BoxBuilder("damr", fields: [.text("test"), .u8(0), .u16(0x80), .u8(0), .u8(5)])])
    track.timescale = 8000
    track.durations = [(20, 800)]
    (track.mediaDuration, track.trackDuration) = (16_000, 2000)
    (track.uniformSize, track.sampleCount, track.syncSamples) = (160, 20, nil)
    track.chunkRuns = [(1, 20, 1)]
    track.chunkOffsets = [0]
    var clip = ClipBuilder()
    (clip.brand, clip.duration, clip.tracks) = ("3gp4", 2000, [track])
    clip.mediaContent = (0..<100).flatMap(frame)
    return clip
  }()

  @Test func `when a sample of the source holds several frames then readers separate them`()
    throws
  {
    let folder = try ScratchFolder()
    try folder.write(Self.telephone.bytes, to: "sound.3gp")
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(folder.path(of: "sound.3gp").utf8)))
    let output = folder.path(of: "cut.amr")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(11, 10)))
    let report = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    #expect(try fileBytes(output) == Self.header + (25..<55).flatMap(Self.frame))
    #expect(report.plan.tracks[0].packets == 6)
    #expect(report.examination?.presented == MediaDuration(3, 5))
  }

  @Test func `when it is cut into 3GP then it begins and ends within frames`() throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.3gp")
    let range = try #require(MediaTimeRange(from: MediaTime(51, 100), to: MediaTime(109, 100)))
    let report = try Self.clip(folder).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    #expect(report.plan.tracks[0].packets >= 30)
    #expect(report.examination?.presented == MediaDuration(58, 100))
  }

  @Test func `when other audio is to become AMR then an encoder is required`() throws {
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path("b-frames.mp4").utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    var request = CutRequest(range: range)
    request.isSoundAlone = true
    let error = #expect(throws: MediaError.self) { try clip.plan(request, for: .amr) }
    #expect(error?.code == .codecMissing)
  }
}
