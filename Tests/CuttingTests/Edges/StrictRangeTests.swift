import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Loud noise, with silence from two seconds up to four: anything loud in a cut of the silence came
/// from outside.
private enum LoudClip {
  static func make(_ name: String, _ words: [String], in folder: ScratchFolder) async throws
    -> String
  {
    let path = folder.path(of: name)
    let pictures = [
      "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=6", "-c:v", "libx264", "-g", "50", "-bf", "2",
      "-pix_fmt", "yuv420p",
    ]
    let hasPictures = ["mp4", "mkv", "ts", "mov"].contains { name.hasSuffix($0) }
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error"] + (hasPictures ? Array(pictures[..<4]) : []) + [
        "-f", "lavfi", "-i", "anoisesrc=r=48000:d=6:seed=5:a=0.5",
        "-af", "volume=0:enable='between(t,2,4)'", "-ac", "2",
      ] + (hasPictures ? Array(pictures[4...]) : []) + words + [path])
    return path
  }

  /// The loudest sample in a file's packets, including samples that its container hides.
  static func peak(_ path: String) async throws -> Int {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-ignore_editlist", "1", "-flags2", "+skip_manual", "-i", path, "-map", "0:a",
      "-f", "s16le", "-",
    ])
    return try peak(of: run.out)
  }

  static func peakOfAnyContainer(_ path: String) async throws -> Int {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-flags2", "+skip_manual", "-i", path, "-map", "0:a", "-f", "s16le", "-",
    ])
    return try peak(of: run.out)
  }

  private static func peak(of bytes: [UInt8]) throws -> Int {
    try #require(bytes.count > 48000)
    return stride(from: 0, to: bytes.count - 1, by: 2).reduce(0) { peak, place in
      let sample = Int16(truncatingIfNeeded: Int(bytes[place]) | Int(bytes[place + 1]) << 8)
      return max(peak, Int(sample.magnitude))
    }
  }
}

private func cut(
  _ path: String, _ range: MediaTimeRange, to output: String, strict isStrict: Bool,
  _ change: (inout CutRequest) -> Void = { _ in }
) throws -> CutReport {
  var request = CutRequest(range: range)
  request.isStrict = isStrict
  change(&request)
  return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
    request, to: Array(output.utf8),
    as: try #require(OutputContainer(fileName: Array(output.utf8))))
}

private let isPossible: Bool = EncodedClip.isPossible

@Suite(.enabled(if: isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a cut that may keep nothing from outside the range` {
  /// Ten milliseconds inside the silence: less than a packet.
  ///
  /// - Parameter lead: how much later FFmpeg wrote everything, to make room for the encoder's
  /// priming at zero.
  private static func range(after lead: MediaDuration = .zero) throws -> MediaTimeRange {
    try #require(
      MediaTimeRange(from: MediaTime(201, 100).advanced(by: lead), to: MediaTime(399, 100)))
  }

  private static let sounds = [
    ("a.mp4", ["-c:a", "aac"]), ("a.mkv", ["-c:a", "aac"]), ("a.ts", ["-c:a", "aac"]),
    ("a.mkv", ["-c:a", "libopus"]), ("a.mkv", ["-c:a", "libvorbis"]), ("a.mp4", ["-c:a", "ac3"]),
    ("a.mov", ["-c:a", "pcm_s16le"]), ("a.mkv", ["-c:a", "pcm_s16le"]),
    ("a.mkv", ["-c:a", "flac"]),
    ("a.mp3", ["-c:a", "libmp3lame"]), ("a.opus", ["-c:a", "libopus"]),
    ("a.flac", ["-c:a", "flac"]),
  ]

  @Test(arguments: Sample.of(sounds, 5))
  func `then no audio packet holds anything from outside`(
    _ name: String, _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await LoudClip.make(name, words, in: folder)
    let output = folder.path(of: "cut-" + name)
    let isLate = words.last == "aac" && !name.hasSuffix("mp4")
    let range = try Self.range(after: isLate ? MediaDuration(1024, 48000) : .zero)
    let report = try cut(path, range, to: output, strict: true)
    #expect(report.plan.tracks.allSatisfy { $0.hidden == 0 && $0.hiddenLength == .zero })
    let isISO = name.hasSuffix("mp4") || name.hasSuffix("mov")
    let peak =
      isISO ? try await LoudClip.peak(output) : try await LoudClip.peakOfAnyContainer(output)
    // The noise is at half of full scale; coding spreads a little of it to its neighbors.
    #expect(peak < 2000)
    #expect(report.plan.written.start == .zero)
    // A transport stream shows its last frame to its end.
    let surplus = try report.plan.length.subtracting(range.length)
    #expect(surplus == .zero || name.hasSuffix("ts") && surplus < MediaDuration(1, 25))
  }

  @Test func `then a cut that may hide it keeps it, and reports how much`() async throws {
    let folder = try ScratchFolder()
    let path = try await LoudClip.make("a.mp4", ["-c:a", "aac"], in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try cut(path, Self.range(), to: output, strict: false)
    #expect(try await LoudClip.peak(output) > 8000)
    #expect(report.plan.tracks.contains { $0.kind == .audio && $0.hiddenLength.isPositive })
  }

  @Test func `then its frames are exactly those of the range`() async throws {
    let folder = try ScratchFolder()
    let path = try await LoudClip.make("a.mp4", ["-c:a", "aac"], in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try cut(path, Self.range(), to: output, strict: true)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(clip.frameStarts?.count == Int64(report.plan.frames))
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.first { $0.kind == .video }?.sampleCount == report.plan.frames)
  }

  @Test func `when the whole file is cut then its packets are copied`() async throws {
    let folder = try ScratchFolder()
    let path = try await LoudClip.make(
      "a.mp3", ["-c:a", "libmp3lame", "-write_xing", "0"], in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: .zero, to: MediaTime(7))))
    request.isStrict = true
    #expect(try clip.plan(request, for: .mp3).tracks[0].encoded == 0)
  }

  @Test func `when there is no encoder for the audio then it is refused`() async throws {
    let folder = try ScratchFolder()
    let path = try await LoudClip.make("a.wav", ["-c:a", "adpcm_ima_wav"], in: folder)
    let output = folder.path(of: "cut.mka")
    let error = #expect(throws: MediaError.self) {
      try cut(path, Self.range(), to: output, strict: true)
    }
    #expect(error?.code == .codecMissing)
    #expect(error?.hint != nil)
    #expect((try? fileBytes(output)) == nil)
  }

  @Test(arguments: [CutMode.editList, .copy])
  func `when the mode keeps frames from outside then it is refused`(
    _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await LoudClip.make("a.mp4", ["-c:a", "aac"], in: folder)
    let output = folder.path(of: "cut.mp4")
    let error = #expect(throws: MediaError.self) {
      try cut(path, Self.range(), to: output, strict: true) { $0.mode = mode }
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.hint?.contains("Re-encode") == true)
  }

  @Test func `when there are keyframes at both ends then copying is allowed`() async throws {
    let folder = try ScratchFolder()
    let path = try await LoudClip.make("a.mp4", ["-c:a", "aac"], in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(4)))
    let report = try cut(path, range, to: output, strict: true) { $0.mode = .copy }
    #expect(report.plan.encodedFrames == 0)
    #expect(report.plan.frames == 50)
  }

  @Test func `when the container has a fixed frame rate and IN is in a frame then it is refused`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "a.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-c:v", "mpeg4", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(101, 100), to: MediaTime(2)))
    let error = #expect(throws: MediaError.self) {
      try cut(path, range, to: folder.path(of: "cut.avi"), strict: true)
    }
    #expect(error?.code == .notCuttable)
  }
}
