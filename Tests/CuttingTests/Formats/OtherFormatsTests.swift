import Bitstreams
import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting
@testable import Probing

/// Formats that FFmpeg reads but that are not written here.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given a file of a format that is only read` {
  struct Sound: Sendable, CustomTestStringConvertible {
    var ending: String
    var words: [String]
    /// The number of samples in its longest packet.
    var packet: Int
    var testDescription: String { ending }
  }

  static let sounds = [
    Sound(ending: "wv", words: ["-c:a", "wavpack"], packet: 0),
    Sound(ending: "tta", words: ["-c:a", "tta"], packet: 0),
    Sound(ending: "dts", words: ["-c:a", "dca", "-strict", "-2"], packet: 512),
    Sound(ending: "thd", words: ["-c:a", "truehd", "-strict", "-2"], packet: 40),
    Sound(ending: "au", words: ["-c:a", "pcm_s16be"], packet: 0),
    Sound(ending: "wma", words: ["-c:a", "wmav2"], packet: 2048),
  ]

  private static func make(_ sound: Sound, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "sound." + sound.ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-ac", "2"]
        + sound.words + [path])
    return path
  }

  /// The number of samples that an independent decoder decodes from a file.
  private static func decoded(_ path: String) async throws -> Int {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-ac", "1", "-ar", "48000", "-",
    ])
    #expect(run.errText.isEmpty)
    return run.out.count / 2
  }

  @Test(arguments: sounds)
  func `when it is probed then it is as long as its decoded audio`(_ sound: Sound) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(sound, in: folder)
    let samples = try await Self.decoded(path)
    for depth in [RequestedDepth.auto, .packets, .frames] {
      let facts = try Prober(isCancelled: { false }).probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
      let presented = try #require(facts.durations.presented?.length)
      let wrong = try (presented - MediaDuration(Int64(samples), 48000)).checkedMagnitude()
      // ASF counts milliseconds.
      #expect(wrong <= MediaDuration(1, sound.ending == "wma" ? 500 : 48000), "\(depth)")
    }
  }

  @Test(arguments: sounds, ["mka", "wav"])
  func `when it is cut then the output has the audio of the range`(
    _ sound: Sound, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(sound, in: folder)
    let output = folder.path(of: "cut." + ending)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    var request = CutRequest(range: range, verification: .full)
    request.isSoundAlone = true
    _ = try clip.cut(
      request, to: Array(output.utf8), as: try #require(OutputContainer(nameEnding: ending)))
    let samples = try await Self.decoded(output)
    #expect(abs(samples - 96_000) <= (ending == "wav" ? 0 : 2 * sound.packet))
  }

  @Test func `when it is DNxHR in MXF then its size is that of the bitstream`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mxf")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-c:v",
      "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p", path,
    ])
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(path.utf8)))
    let video = try #require(facts.tracks.first?.video)
    #expect(video.width == 320 && video.height == 180)
    #expect((video.sampleAspectRatio ?? .one) == .one)
    let output = folder.path(of: "cut.mkv")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(7, 5)))
    let report = try clip.cut(
      CutRequest(range: range), to: Array(output.utf8), as: .matroska)
    #expect(report.plan.frames == 25)
    #expect(report.plan.encodedFrames == 0)
    let run = try await EncodedClip.ffmpeg([
      "-v", "warning", "-i", output, "-f", "framemd5", "-",
    ])
    #expect(run.errText.isEmpty)
    let frames = String(decoding: run.out, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    #expect(frames.count == 25)
  }

  @Test func `when AAC in a transport stream uses LATM then it is kept as LATM`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libx264", "-preset", "ultrafast", "-c:a",
      "aac", "-mpegts_flags", "latm", path,
    ])
    let output = folder.path(of: "cut.ts")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try clip.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .mpegts)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.map(\.codec) == ["h264", "aac_latm"])
    #expect(abs(try await Self.decoded(output) - 96_000) <= 2048)
  }

  /// FFmpeg writes the configuration into every twentieth packet.
  @Test func `when a short part of LATM has no configuration then its first packet gets one`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a", "aac",
      "-mpegts_flags", "latm", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    for start in stride(from: Int64(500), to: 900, by: 100) {
      let output = folder.path(of: "cut\(start).ts")
      let range = try #require(
        MediaTimeRange(from: MediaTime(start, 1000), to: MediaTime(start + 300, 1000)))
      _ = try clip.cut(
        CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .mpegts)
      #expect(abs(try await Self.decoded(output) - 14_400) <= 2048, "\(start)")
    }
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given a file whose frames have timecode labels` {
  @Test(arguments: ["mov", "mkv"])
  func `when it is cut into Matroska then the label of its first frame is stated`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let movie = folder.path(of: "movie.mov")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30000/1001:duration=6", "-c:v",
      "libx264", "-preset", "ultrafast", "-g", "10", "-timecode", "01:00:58;00", movie,
    ])
    let path = folder.path(of: "clip." + ending)
    if ending == "mkv" {
      _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", movie, "-c", "copy", path])
    }
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array((ending == "mkv" ? path : movie).utf8)))
    let output = folder.path(of: "cut.mkv")
    // Frame 90.
    let range = try #require(MediaTimeRange(from: MediaTime(3003, 1000), to: MediaTime(5)))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .matroska)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    // Drop-frame: the first two labels of a minute are left out.
    let label = try #require(SourceTimecode.start(of: facts))
    #expect(label.description == "01:01:01;02")
    #expect(!facts.tracks.contains { $0.timecode != nil && $0.timecode != "01:01:01;02" })
  }
}

@Suite struct `Given a frame of AAC with an ADTS header` {
  @Test(arguments: [1, 2, 40])
  func `then its content is what follows the header, however little that is`(_ count: Int) {
    let content = (0..<count).map { UInt8($0 + 1) }
    let plain = Fingerprint.of(content, codec: "aac", framing: .annexB)
    for header in [
      [0xFF, 0xF1, 0x50, 0x80, 0, 0, 0], [0xFF, 0xF0, 0x50, 0x80, 0, 0, 0, 0x12, 0x34],
    ]
      as [[UInt8]]
    {
      #expect(Fingerprint.of(header + content, codec: "aac", framing: .annexB) == plain)
    }
  }
}
