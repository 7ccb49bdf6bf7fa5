import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// Ogg has empty packets for pictures that stay on screen (Theora specification, 7.1 and A.2.3).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Theora frames held for several frame periods` {
  @Test(arguments: [0, 5] as [Int64])
  func `when it is cut into Ogg then each lasts as long as before`(_ extra: Int64) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-vf",
      "select='not(mod(n,10))'", "-vsync", "vfr", "-c:v", "libtheora", "-g", "5", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(
      MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(80 + extra, 25)))
    let output = folder.path(of: "cut.ogv")
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let count = extra == 0 ? 7 : 8
    #expect(report.plan.frames == count)
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(pictures.count == count)
    #expect(log == "")
    let cut = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let times = cut.facts.tracks.first?.durations.presented
    #expect(
      try times?.length.subtracting(MediaDuration(70 + extra, 25)).magnitude ?? .zero
        <= MediaDuration(1, 25))
  }

  @Test func `then every re-encoded frame is a keyframe, which libtheora never leaves empty`() {
    let choice = EncoderChoice(codec: "theora", video: nil, configuration: [])
    #expect(choice?.options.last { $0.0 == "g" }?.1 == "1")
  }

  @Test func `when they are too far from a keyframe then a plan for Ogg is refused`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=8", "-vf",
      "select='not(mod(n,10))'", "-vsync", "vfr", "-c:v", "libtheora", "-g", "12", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(6)))
    let request = CutRequest(range: range)
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutOrder(request, to: Array(folder.path(of: "cut.ogv").utf8)))
    }
    #expect(error?.message.contains("keyframe") == true)
    #expect(error?.hint?.contains(".mkv") == true)
    let output = Array(folder.path(of: "cut.mkv").utf8)
    #expect(try clip.cut(CutOrder(request, to: output)).plan.frames == 15)
  }

  @Test func `when they have no constant rate then Ogg is refused, suggesting another container`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    let even = folder.path(of: "even.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v",
      "libtheora", "-g", "5", even,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", even, "-c", "copy", "-bsf:v", "setts=ts=TS+22*mod(N\\,2)", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(16, 5)))
    let request = CutRequest(range: range, verification: .full)
    // The plan already reports this.
    let order = CutOrder(request, to: Array(folder.path(of: "cut.ogv").utf8))
    let error = #expect(throws: MediaError.self) {
      try clip.plan(order)
    }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.contains(".mkv") == true)
  }
}

/// Pictures of Theora are identified by number: with sound that begins earlier, they would be shown
/// late.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Theora with Vorbis in Ogg` {
  private static func decoded(_ path: String) async throws -> [Int16] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-copyts", "-i", path, "-map", "0:a", "-af", "aresample=async=1:first_pts=0",
      "-f", "s16le", "-",
    ])
    return stride(from: 0, to: run.out.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(run.out[$0]) | UInt16(run.out[$0 + 1]) << 8)
    }
  }

  @Test(arguments: [0, 23, 30, 41, 50] as [Int64])
  func `when it is cut then video and audio are where they were`(_ frame: Int64) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libtheora", "-g", "30", "-c:a",
      "libvorbis", "-ac", "1", path,
    ])
    let output = folder.path(of: "cut.ogv")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(
      MediaTimeRange(from: MediaTime(frame, 25), to: MediaTime(frame + 40, 25)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == 40)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    let pictures = try #require(facts.tracks.first { $0.kind == .video })
    #expect(pictures.durations.presented?.start == .zero)
    #expect(pictures.durations.presented?.length == MediaDuration(8, 5))
    let (source, cut) = (try await Self.decoded(path), try await Self.decoded(output))
    let begin = Int(frame) * 1920
    // From the first whole packet on, every sample is in its place.
    #expect(Array(cut[4800..<70000]) == Array(source[(begin + 4800)..<(begin + 70000)]))
    #expect(cut.count <= 76800 && cut.count > 76000)
  }

  /// 25 pictures, and sound that goes on for 0.31 s, which is not a whole number of frames.
  @Test(arguments: [(21, 4), (26, 0)] as [(Int64, Int)])
  func `when a part that ends after the video is joined then the next begins with a frame`(
    _ frame: Int64, _ count: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=1", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=1.31:seed=3:a=0.4", "-c:v", "libtheora", "-g", "5", "-c:a",
      "flac", "-ac", "1", path,
    ])
    let output = folder.path(of: "cut.ogv")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(frame, 25), to: MediaTime(40, 25))),
      verification: .full)
    request.join(try #require(MediaTimeRange(from: MediaTime(5, 25), to: MediaTime(15, 25))))
    let report = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.frames == count + 10)
    let facts = try Prober(isCancelled: { false }).probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(wantsFrames: true))
    let times = facts.tracks.first { $0.kind == .video }?.shownFrames.map(\.time)
    // Frames that begin before 1.31 s: up to the end of the 33rd.
    let begin = 33 - frame
    #expect(times?.dropFirst(count).first == MediaTime(begin, 25))
    let (source, cut) = (try await Self.decoded(path), try await Self.decoded(output))
    let samples = Int(begin) * 1920
    #expect(Array(cut[samples..<samples + 19200]) == Array(source[9600..<28800]))
  }
}
