import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 whose audio ticks are not samples` {
  /// Smooth Streaming counts everything in ten millionths of a second.
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.ismv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=4", "-f", "lavfi",
      "-i", "sine=1000:sample_rate=48000:duration=4", "-c:v", "libx264", "-bf", "0", "-g", "25",
      "-c:a", "aac", "-f", "ismv", "-movflags", "isml+frag_keyframe", path,
    ])
    return path
  }

  @Test(arguments: [false, true])
  func `when a part is cut then FFmpeg decodes all of its audio`(
    isFragmented: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    var request = CutRequest(range: range)
    request.isFragmented = isFragmented
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.length == MediaDuration(2))

    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-map", "0:a", "-f", "s16le", "-ac", "1", "-",
    ])
    // Within a packet, as FFmpeg may not stop exactly at the end.
    #expect((95_000...99_000).contains(run.out.count / 2))
    #expect(run.errText.isEmpty)
  }
}

@Suite struct `Given MP4 whose audio states one sample a second` {
  @Test func `when it is opened for cutting then that rate is not used for counting`() throws {
    var track = ClipBuilder.Track()
    (track.handler, track.syncSamples) = ("soun", nil)
    track.entry = ClipBuilder.audioEntry("ac-3", rate: 1)
    var clip = ClipBuilder()
    clip.tracks = [track]
    let folder = try ScratchFolder()
    try folder.write(clip.bytes, to: "clip.mp4")
    let source = try `Given a file made by an encoder`.open(folder.path(of: "clip.mp4"))
    #expect(source.tracks[0].facts.audio?.sampleRate == 1)
    #expect(source.tracks[0].coded.grid == TickGrid(ticksPerSecond: 1000))
  }
}
