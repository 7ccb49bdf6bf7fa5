import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.timeLimit(.minutes(5))) struct `Given a cut that is written in fragments` {
  private static func request(
    from: MediaTime = MediaTime(1, 2), to: MediaTime = MediaTime(3)
  ) throws -> CutRequest {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: from, to: to)), verification: .full)
    request.isFragmented = true
    return request
  }

  private static func open(_ name: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(SampleClips.path(name).utf8)))
  }

  @Test(arguments: ["b-frames.mp4", "open-gop.mp4", "hevc.mp4", "vfr.mp4", "at-limit.mp4"])
  func `then it is fragmented throughout, and as long as its plan says`(
    _ name: String
  ) throws {
    let folder = try CutFolder()
    let clip = try Self.open(name)
    let report = try clip.cut(Self.request(), to: folder.bytes("o.mp4"), as: .mp4)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("o.mp4")))
    #expect(written.facts.container.isFragmented)
    #expect(written.facts.durations.presented?.length == report.plan.length)
    let frames = written.facts.tracks.filter { $0.kind == .video }.compactMap(\.frameCount)
    #expect(frames.reduce(0, +) == report.plan.frames)
  }

  @Test(arguments: ["b-frames.mp4", "open-gop.mp4", "hevc.mp4", "ntsc.mp4", "vfr.mp4"])
  func `when the range is off the grid then the file is as long as the range, to a tick`(
    _ name: String
  ) throws {
    let folder = try CutFolder()
    let request = try Self.request(from: MediaTime(101, 100), to: MediaTime(3017, 1000))
    let report = try Self.open(name).cut(request, to: folder.bytes("o.mp4"), as: .mp4)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("o.mp4")))
    let presented = try #require(written.facts.durations.presented?.length)
    let declared = try #require(written.facts.durations.declared?.length)
    #expect(presented == declared)
    let difference = try presented.subtracting(report.plan.length).checkedMagnitude()
    #expect(difference <= MediaDuration(1, 1000))
    let asked = try MediaDuration(2007, 1000).subtracting(presented).checkedMagnitude()
    #expect(asked <= MediaDuration(1, 20))
  }

  /// Chapters have ticks of a millisecond, and timecode has ticks of a frame: pictures and sound
  /// need not end on either.
  @Test(
    .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"),
    arguments: [
      (MediaTime(1, 2), MediaTime(300_037, 100_000)),
      (MediaTime(10004, 10000), MediaTime(200_055, 100_000)),
    ], [[], ["-timecode", "01:00:00:00"]])
  func `when chapters or timecode are kept then they end no later than video and audio`(
    _ range: (from: MediaTime, to: MediaTime), _ timecode: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let times = [(0, 1500), (1500, 4000)].map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=One\n"
    }
    let chapters = try folder.write(
      Array((";FFMETADATA1\n" + times.joined()).utf8), to: "chapters.txt")
    // For text FFmpeg uses ticks of a microsecond.
    let text = try folder.write(
      Array("1\n00:00:00,700 --> 00:00:03,900\nHello\n\n".utf8), to: "text.srt")
    let path = folder.path(of: "clip.mov")
    let output = Array(folder.path(of: "o.mp4").utf8)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-i", chapters, "-i",
        text, "-map", "0", "-map", "2", "-map_metadata", "1", "-pix_fmt", "yuv420p", "-c:s",
        "mov_text",
      ] + timecode + [path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    _ = try clip.cut(
      Self.request(from: range.from, to: range.to), to: output, as: .mp4)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: output))
    let facts = written.facts
    let end = try #require(facts.durations.presented?.length)
    #expect(facts.durations.declared?.length == end)
    let clipped = facts.tracks.filter { ![.video, .audio].contains($0.kind) }
    #expect(clipped.count == (timecode.isEmpty ? 1 : 2) + 1)
    for track in clipped { #expect(try #require(track.durations.indexed?.length) <= end) }
  }

  /// Frames of very different durations, with B-frames: one that is shown at the end is decoded
  /// long before.
  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
  func `when a frame is decoded long before the end then the file is no longer than the range`()
    async throws
  {
    let folder = try CutFolder()
    let path = String(decoding: folder.bytes("clip.mp4"), as: UTF8.self)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=8", "-vf",
      "select='not(between(mod(n,40),5,21))'", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", "3",
      path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("clip.mp4")))
    for end in stride(from: Int64(20), to: 190, by: 7) {
      let request = try Self.request(from: .zero, to: MediaTime(end * 4 + 1, 100))
      let report = try clip.cut(request, to: folder.bytes("\(end).mp4"), as: .mp4)
      let facts = try Prober().probe(.file(path: folder.bytes("\(end).mp4")))
      #expect(facts.durations.presented?.length == report.plan.length)
      #expect(facts.durations.declared?.length == report.plan.length)
    }
  }

  @Test func `then audio ends at OUT, within its last packet`() throws {
    let folder = try CutFolder()
    let clip = try Self.open("b-frames.mp4")
    let report = try clip.cut(Self.request(), to: folder.bytes("o.mp4"), as: .mp4)
    #expect(report.plan.length == MediaDuration(5, 2))
    let sound = try #require(report.plan.tracks.first { $0.kind == .audio })
    #expect(sound.reasons == [.beginsWithNextPacket])
    let written = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("o.mp4")))
    #expect(written.facts.durations.presented?.length == MediaDuration(5, 2))
    let last = try #require(written.source.tracks.last?.coded.packets.last)
    #expect(last.duration < 1024)
  }

  /// In fragments, FFmpeg's demuxer and players built on it play what an edit hides.
  @Test(
    .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"),
    arguments: ["aac", "libopus", "flac"], [AudioMode.copy, .reencode])
  func `then players show the sound for as long as the report says`(
    _ codec: String, _ audio: AudioMode
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(
      ["-c:a", codec, "-strict", "-2"], seconds: "2", as: "sound.mp4", in: folder)
    let output = folder.path(of: "o.mp4")
    var request = try Self.request(from: MediaTime(541, 1000), to: MediaTime(1623, 1000))
    request.audio = audio
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let probe = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", output,
      ].map { Array($0.utf8) }, limit: .seconds(60))
    let shown = try #require(Double(probe.outText.prefix { $0 != "\n" }))
    let reported = report.plan.length.seconds.approximation
    #expect(abs(shown - reported) < 0.001, "\(shown) for \(reported)")
    // What is decoded is longer only by the rest of the last packet.
    let count = try await CutNoise.samples(output).count
    #expect(Double(count) / 48_000 - reported < 0.0214)
    #expect(Double(count) / 48_000 - reported > -0.001)
  }

  @Test func `when audio is re-encoded then it is written too, and as long as the range`() throws {
    let folder = try CutFolder()
    var request = try Self.request()
    request.audio = .reencode
    _ = try Self.open("b-frames.mp4").cut(request, to: folder.bytes("o.mp4"), as: .mp4)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("o.mp4")))
    #expect(written.facts.durations.presented?.length == MediaDuration(5, 2))
  }

  @Test func `when parts are joined then their audio is re-encoded as one stream`() throws {
    let folder = try CutFolder()
    var request = try Self.request(from: MediaTime(1, 2), to: MediaTime(3, 2))
    request.join(try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(7, 2))))
    let report = try Self.open("b-frames.mp4").cut(request, to: folder.bytes("o.mp4"), as: .mp4)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: folder.bytes("o.mp4")))
    #expect(written.facts.container.isFragmented)
    #expect(written.facts.durations.presented?.length == MediaDuration(5, 2))
    let sound = try #require(report.plan.tracks.first { $0.kind == .audio })
    #expect(sound.reasons == [.exactAtTheSeams])
  }

  @Test(arguments: [OutputContainer.matroska, .mpegts])
  func `then a container without fragments is refused`(_ container: OutputContainer) throws {
    let error = #expect(throws: MediaError.self) {
      try Self.open("b-frames.mp4").plan(Self.request(), for: container)
    }
    #expect(error?.code == .codecDoesNotFit)
  }
}
