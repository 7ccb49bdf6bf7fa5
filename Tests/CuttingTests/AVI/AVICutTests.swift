import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
struct `Given an AVI with reordered pictures and packetized audio` {
  private static func clip(in folder: ScratchFolder) async throws -> OpenedFile {
    let path = folder.path(of: "clip.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=4", "-f", "lavfi",
      "-i", "sine=r=48000:d=4", "-c:v", "mpeg4", "-bf", "2", "-g", "12", "-c:a", "libmp3lame",
      "-metadata", "title=A title", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  @Test func `when IN is between frames then the one on screen begins the MP4`() async throws {
    let clip = try await Self.clip(in: ScratchFolder())
    // The ticks are whole frames: no rounded time could have been typed as an end.
    let range = try #require(
      MediaTimeRange(from: MediaTime(1_113_333, 1_000_000), to: MediaTime(21, 10)))
    #expect(try clip.plan(CutRequest(range: range), for: .mp4).frames == 30)
  }

  @Test func `when a part is cut then its header counts every audio packet`() async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder)
    let output = folder.path(of: "cut.avi")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .avi)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let durations = try #require(written.facts.tracks.first { $0.kind == .audio }?.durations)
    #expect(durations.track != nil)
    #expect(durations.track?.length == durations.presented?.length)
  }

  /// Packets of 1,440 and 720 bytes, where FFmpeg's muxer derives block sizes of 1,152 and 576 from
  /// the rate alone.
  @Test(arguments: [("32000", "320k"), ("16000", "160k"), ("44100", "320k")])
  func `when MP3 packets are large then each lasts one frame`(
    _ rate: String, _ bits: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=4", "-f", "lavfi", "-i",
      "anoisesrc=r=\(rate):d=4:seed=3:a=0.3", "-c:v", "mpeg4", "-c:a", "libmp3lame", "-b:a", bits,
      "-ac", "2", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut.avi")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .avi)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let sound = try #require(written.facts.tracks.first { $0.kind == .audio })
    let length = try #require(sound.durations.presented?.length)
    #expect(try length.subtracting(MediaDuration(2)).checkedMagnitude() < MediaDuration(1, 10))
  }

  /// FFmpeg's muxer states the block size of the initial bit rate.
  @Test func `when MP2 packets grow in the middle then each lasts one frame`()
    async throws
  {
    let folder = try ScratchFolder()
    var bytes: [UInt8] = []
    for bits in ["64k", "384k"] {
      let part = folder.path(of: "part.mp2")
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-y", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.3", "-ac",
        bits == "64k" ? "1" : "2", "-c:a", "mp2", "-b:a", bits, part,
      ])
      bytes += try fileBytes(part)
    }
    let path = try folder.write(bytes, to: "sound.mp2")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut.avi")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(5)))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .avi)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let length = try #require(written.facts.durations.presented?.length)
    #expect(try length.subtracting(MediaDuration(4)).checkedMagnitude() < MediaDuration(1, 10))
  }

  @Test(arguments: ["avi", "mkv"])
  func `when a part is cut then its tags are kept, including the software's name`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let container = try #require(OutputContainer(nameEnding: ending))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: container)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    func tags(_ clip: OpenedFile) -> [String: String] {
      Dictionary(
        clip.facts.tags.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    }
    let (was, found) = (tags(clip), tags(written))
    #expect(was["title"] == "A title")
    #expect(was["software"] != nil)
    for (key, value) in was { #expect(found[key] == value, "\(key)") }
  }

  @Test func `when parts are joined then only the first begins a frame earlier`() async throws {
    let clip = try await Self.clip(in: ScratchFolder())
    let ranges = [(1, 2), (3, 4), (2, 3)].compactMap {
      MediaTimeRange(from: MediaTime($0), to: MediaTime($1))
    }
    var request = CutRequest(range: ranges[0])
    for range in ranges.dropFirst() { request.join(range) }
    let plan = try clip.plan(request, for: .avi)
    #expect(
      plan.parts.map(\.length) == [MediaDuration(31, 30), MediaDuration(1), MediaDuration(1)])
    #expect(plan.parts.map(\.start) == [MediaTime(29, 30), MediaTime(3), MediaTime(2)])
    #expect(plan.frames == 90)
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an AVI with uncompressed video or audio` {
  private static func clip(
    _ pictures: [String], in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: "clip.avi")
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=4", "-f",
        "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4",
      ] + pictures + ["-c:a", "pcm_s16le", path])
    return path
  }

  private static func decoded(_ path: String, _ stream: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:\(stream)", "-f",
      stream == "v" ? "rawvideo" : "s16le", "-",
    ]).out
  }

  /// A packet of 1,000 samples begins at 2 s; one of 1,024 samples does not.
  @Test(arguments: [MediaTime(2), MediaTime(32, 15), MediaTime(2048, 750)], ["avi", "mkv"])
  func `when its audio begins with a packet or within one then it is as long as the video`(
    _ start: MediaTime, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(["-c:v", "mjpeg"], in: folder)
    let output = folder.path(of: "cut." + ending)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: start, to: MediaTime(52, 15)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    let sound = try #require(facts.tracks.first { $0.kind == .audio })
    let wrong = try (#require(sound.durations.presented?.length) - report.plan.written.length)
      .checkedMagnitude()
    #expect(wrong <= MediaDuration(1, 500))
  }

  @Test(arguments: ["rawvideo", "utvideo"], ["avi", "mkv"])
  func `when its video is identified only by its FourCC then its frames are those of the source`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(["-c:v", codec, "-pix_fmt", "yuv420p"], in: folder)
    let output = folder.path(of: "cut." + ending)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let (source, cut) = (
      try await Self.decoded(path, "v"), try await Self.decoded(output, "v")
    )
    let frame = 160 * 96 * 3 / 2
    #expect(cut == Array(source[(30 * frame)..<(90 * frame)]))
  }

  @Test func `when its audio is ADPCM then its blocks are those of the source`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "mjpeg", "-c:a", "adpcm_ms", path,
    ])
    let output = folder.path(of: "cut.avi")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let (source, cut) = (
      try await Self.decoded(path, "a"), try await Self.decoded(output, "a")
    )
    // Blocks need not begin at IN; the sound of the range, unchanged, begins near it.
    let heard = try #require(report.plan.tracks.first { $0.kind == .audio }?.source?.start)
    let place = 2 * Int(try TickGrid(ticksPerSecond: 48000).tick(of: heard, rounding: .nearest))
    let isSame = (-2...2).contains {
      Array(source[(place + 2 * $0)...].prefix(100_000)) == Array(cut.prefix(100_000))
    }
    #expect(isSame && cut.count > 180_000)
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP2 that goes into an AVI` {
  /// Readers assume packets of nBlockAlign bytes and derive the length from that.
  @Test func `then the length stated in its header is that of its packets`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f", "lavfi",
      "-i", "sine=r=48000:d=4", "-c:v", "mpeg2video", "-c:a", "mp2", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut.avi")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .avi)
    let stated = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=duration", "-of",
        "csv=p=0", output,
      ].map { Array($0.utf8) }, limit: .seconds(60))
    let seconds = try #require(Double(stated.outText.split(separator: "\n").first ?? ""))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let sound = try #require(written.facts.tracks.first { $0.kind == .audio })
    let presented = try #require(sound.durations.presented?.length)
    #expect(abs(seconds - presented.seconds.approximation) < 0.001)
    // A picture may begin before IN, and a packet lasts 24 ms.
    #expect((1.9...2.1).contains(seconds))
  }
}

/// AVI states one length for all packets; here a table gives two of them a longer one.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC with some packets moved by a few samples` {
  @Test func `when it goes into an AVI then all packets have their codec's packet duration`()
    async throws
  {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mp4"), folder.path(of: "cut.avi"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=5,format=yuv420p", "-f",
      "lavfi", "-i", "sine=r=48000:d=5", "-c:v", "libx264", "-bf", "0", "-g", "25", "-c:a", "aac",
      "-bsf:a", "setts=ts=TS+gte(N\\,100)*6+gte(N\\,150)*8", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(4)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .avi)
    // 1024 samples.
    let stated = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=time_base",
        "-of", "csv=p=0", output,
      ].map { Array($0.utf8) }, limit: .seconds(60))
    #expect(stated.outText.hasPrefix("8/375"))
  }
}

/// Two pictures may round to the same frame slot of an AVI.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given reordered pictures that come slightly slower than their frame rate` {
  @Test(arguments: ["mpeg4", "mpeg2video"])
  func `when a part is cut into AVI then each picture has its own slot`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let (plain, path) = (folder.path(of: "plain.mkv"), folder.path(of: "clip.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=10", "-c:v", codec, "-bf", "2",
      "-g", "25", plain,
    ])
    // By half a millisecond each.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:v", "setts=pts=TS+floor(N*19/40):dts=DTS",
      path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(33, 10), to: MediaTime(87, 10)))
    let output = folder.path(of: "cut.avi")
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let shown = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-fps_mode", "passthrough", "-vf", "scale=1:1,format=gray", "-f",
      "rawvideo", "-",
    ]).out.count
    #expect(shown == report.plan.frames)
  }
}
