import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Like a recording of a screen that does not change: the frame before the pause is decoded before
/// the B-frames that are shown before it.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a frame that stays on screen before a keyframe, after B-frames` {
  private static func paused(_ ending: String, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "paused.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-vf",
      "settb=1/90000,setpts='if(lt(N,50),N/25,N/25+3)/TB'", "-fps_mode", "passthrough",
      "-enc_time_base", "1/90000", "-c:v", "libx264", "-g", "25", "-bf", "2", "-x264-params",
      "scenecut=0:b-adapt=0", path,
    ])
    // Matroska from the encoder would state a duration of a 25th of a second.
    let copy = folder.path(of: "copy.\(ending)")
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-c", "copy", copy])
    return copy
  }

  @Test(arguments: ["mp4", "mkv"], [MediaTime(3), MediaTime(9, 2), MediaTime(5)])
  func `when the part ends in the pause then the frame is shown until there`(
    _ ending: String, _ end: MediaTime
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.paused(ending, in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: end))
    let cutter = FileCutter(isCancelled: { false })
    let report = try cutter.open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.tracks.first?.packets == 25)
    let facts = try cutter.open(.file(path: Array(output.utf8))).facts
    #expect(facts.durations.presented?.length == range.length)
    #expect(facts.durations.declared?.length == range.length)
  }
}

/// Matroska rounds times, so that they are counted in frames for MP4; the pause is 76 of those.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given constant-rate Matroska that pauses for three seconds` {
  @Test(arguments: ["mjpeg", "libx264"], ["mp4", "mov"])
  func `when the part is in the pause then it is that frame for all of it`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (plain, path) = (folder.path(of: "plain.mkv"), folder.path(of: "paused.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", codec, "-g", "25",
      "-x264-params", "scenecut=0", plain,
    ])
    let pause = "gte(N,50)*3000"
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:v",
      "setts=pts='PTS+\(pause)':dts='DTS+\(pause)'", path,
    ])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(3), to: MediaTime(9, 2)))
    let cutter = FileCutter(isCancelled: { false })
    let report = try cutter.open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.tracks.first?.packets == 1)
    let facts = try cutter.open(.file(path: Array(output.utf8))).facts
    #expect(facts.durations.presented?.length == range.length)
    let all = try await EncodedClip.pictures(path).pictures
    let written = try #require(try await EncodedClip.pictures(output).pictures.first)
    let difference = all[48...50].map { picture in
      zip(picture, written).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    #expect(difference[1] < difference[0] && difference[1] < difference[2], "\(difference)")
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given frames that last twenty seconds or more` {
  /// Readers of a transport stream take such a pause for a clock reset.
  @Test func `when they last over ten minutes then a transport stream is refused`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "slides.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=1/700:d=2100", "-c:v", "libx264",
      "-g", "1", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2000)))
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range), for: .mpegts)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.hint?.contains(".mkv") == true)
    _ = try clip.cut(
      CutRequest(range: range), to: Array(folder.path(of: "c.mkv").utf8), as: .matroska)
  }

  /// FFmpeg gives up looking for size and parameter sets when the second picture is so far away.
  @Test(arguments: [("1", .mpegts), ("4", .mp4), ("4", .matroska)] as [(String, OutputContainer)])
  func `when they are cut into a transport stream, and from it again, then they last as long`(
    _ group: String, _ container: OutputContainer
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "slides.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=1/20:d=120", "-f", "lavfi", "-i",
      "sine=r=48000:d=120", "-c:v", "libx264", "-g", group, "-bf", "2", "-c:a", "aac", path,
    ])
    let cutter = FileCutter(isCancelled: { false })
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(5), to: MediaTime(115))))
    // With keyframes only, there is no sound.
    if group == "1" { request.tracks = TrackChoice(kinds: [.video]) }
    let stream = folder.path(of: "slides.ts")
    let first = try cutter.open(.file(path: Array(path.utf8))).cut(
      request, to: Array(stream.utf8), as: .mpegts)
    #expect(first.plan.frames == 6)
    let again = try #require(MediaTimeRange(from: MediaTime(10), to: MediaTime(90)))
    let output = folder.path(of: "cut.\(container.rules.ending)")
    _ = try cutter.open(.file(path: Array(stream.utf8))).cut(
      CutRequest(range: again), to: Array(output.utf8), as: container)
    let facts = try Prober().probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(wantsFrames: true))
    let frames = try #require(facts.tracks.first { $0.kind == .video }?.shownFrames)
    // The later ones begin 15 s and 20 s apart, delayed by 21 ms of priming.
    #expect(frames.first?.duration == MediaDuration(5021, 1000))
    #expect(frames.prefix(4).dropFirst().allSatisfy { $0.duration == MediaDuration(20) })
  }
}
