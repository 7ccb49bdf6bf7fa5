import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

/// Files with only sound: raw samples, or frames one after another.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an audio-only file that is cut into its own format` {
  private static func make(
    _ name: String, rate: Int = 48_000, seconds: Int = 4, _ words: [String],
    in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=\(seconds):seed=3:a=0.4",
        "-strict", "-2",
      ] + words + [path])
    return path
  }

  private static func cut(
    _ path: String, to output: String, from start: MediaTime, to end: MediaTime,
    isStrict: Bool = false
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: start, to: end))
    var request = CutRequest(range: range, verification: .full)
    request.isStrict = isStrict
    return try clip.cut(CutOrder(request, to: Array(output.utf8)))
  }

  /// Samples of eight bytes, whatever the file stores.
  private static func samples(_ path: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "f64le", "-"]).out
  }

  private static func values(_ path: String) async throws -> [Double] {
    try await samples(path).withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
  }

  @Test(
    arguments: [
      ("a.aiff", "pcm_s16be"), ("b.aiff", "pcm_s24be"), ("c.aif", "pcm_f32be"),
      ("d.aifc", "pcm_s16be"), ("e.caf", "pcm_s16be"), ("f.caf", "pcm_s24le"),
      ("g.caf", "pcm_f32le"),
    ])
  func `then samples are copied from the first to the last of the range`(
    _ name: String, _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(name, ["-c:a", codec], in: folder)
    let output = folder.path(of: "cut-" + name)
    let report = try Self.cut(
      path, to: output, from: MediaTime(123_456, 100_000), to: MediaTime(7, 2))
    #expect(report.plan.tracks[0].encoded == 0)
    #expect(report.examination?.presented == MediaDuration(168_000 - 59_258, 48_000))
    let source = try await Self.samples(path)
    #expect(try await Self.samples(output) == Array(source[59_258 * 8..<168_000 * 8]))
  }

  /// Samples that MP4 and WAV hold in little-endian order.
  @Test(
    arguments: [
      ("pcm_s24le", "pcm_s24be"), ("pcm_f32le", "pcm_f32be"), ("pcm_u8", "pcm_s16be"),
    ])
  func `when AIFF cannot hold samples in their byte order then their values are kept`(
    _ codec: String, _ expected: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make("a.wav", ["-c:a", codec], in: folder)
    let output = folder.path(of: "cut.aiff")
    let report = try Self.cut(path, to: output, from: MediaTime(1), to: MediaTime(2))
    #expect(report.plan.tracks[0].encodedAs?.rawValue == expected)
    let source = try await Self.samples(path)
    #expect(try await Self.samples(output) == Array(source[48_000 * 8..<96_000 * 8]))
  }

  struct Frames: Sendable, CustomTestStringConvertible {
    var ending: String
    var codec: String
    var rate: Int
    /// Samples of a frame.
    var length: Int64
    var testDescription: String { "\(ending) at \(rate) Hz" }
  }

  /// At 44.1 kHz frames of AC-3, E-AC-3 and DTS are no whole number of ticks in FFmpeg's reader,
  /// whose rounding adds up: after a minute that is more than 10 ms.
  @Test(
    arguments: [
      Frames(ending: "ac3", codec: "ac3", rate: 44_100, length: 1536),
      Frames(ending: "ac3", codec: "ac3", rate: 48_000, length: 1536),
      Frames(ending: "eac3", codec: "eac3", rate: 44_100, length: 1536),
      Frames(ending: "dts", codec: "dca", rate: 44_100, length: 512),
      Frames(ending: "mp2", codec: "mp2", rate: 44_100, length: 1152),
    ], [false, true])
  func `then the frames that begin in the range are copied, wherever it is`(
    _ kind: Frames, isTruncated: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(
      "a." + kind.ending, rate: kind.rate, seconds: 62, ["-c:a", kind.codec], in: folder)
    if isTruncated {
      try folder.write(Array(try fileBytes(path).dropLast(99)), to: "a." + kind.ending)
    }
    let output = folder.path(of: "cut." + kind.ending)
    let report = try Self.cut(path, to: output, from: MediaTime(60), to: MediaTime(61))
    let first = (60 * Int64(kind.rate) + kind.length - 1) / kind.length
    let end = (61 * Int64(kind.rate) + kind.length - 1) / kind.length
    let packets = try `Given a file made by an encoder`.open(path).tracks[0].coded.packets
    func place(_ packet: Int64) -> Int {
      packets.prefix(Int(packet)).reduce(0) { $0 + $1.byteCount }
    }
    #expect(try fileBytes(output) == Array(try fileBytes(path)[place(first)..<place(end)]))
    #expect(
      report.examination?.presented
        == MediaDuration((end - first) * kind.length, Int64(kind.rate)))
  }

  @Test func `when they are copied into MP4 then it begins with the first sample of the range`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make(
      "a.ac3", rate: 44_100, seconds: 62, ["-c:a", "ac3"], in: folder)
    let output = folder.path(of: "cut.mp4")
    _ = try Self.cut(path, to: output, from: MediaTime(60), to: MediaTime(61))
    let (source, cut) = (try await Self.values(path), try await Self.values(output))
    // A frame's decoded samples depend on the one before, and the decoder fills unused bands with noise.
    let pairs = zip(source[(60 * 44_100 + 4608)..<(60 * 44_100 + 30_720)], cut[4608..<30_720])
    let (error, energy) = pairs.reduce(into: (0.0, 0.0)) { sums, pair in
      sums.0 += (pair.0 - pair.1) * (pair.0 - pair.1)
      sums.1 += pair.0 * pair.0
    }
    #expect(error < energy / 4)
  }

  /// Rates and channels that the codec does not have.
  @Test(arguments: ["ac3", "eac3", "mp2"])
  func `when audio is converted then it gets a rate and channels that the codec supports`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(
      "a.wav", rate: 96_000, ["-af", "pan=7.1|FL=c0|FR=c0|FC=c0|BL=c0"], in: folder)
    let output = folder.path(of: "cut." + ending)
    let report = try Self.cut(path, to: output, from: MediaTime(1), to: MediaTime(2))
    #expect(report.plan.tracks[0].encodedAs?.rawValue == ending)
    let audio = try #require(
      try `Given a file made by an encoder`.open(output).facts.tracks[0].audio)
    #expect(audio.sampleRate == 48_000)
    #expect(audio.channels == (ending == "mp2" ? 2 : 6))
  }

  /// Above one megabit a second, frames of E-AC-3 must be short, as none may exceed 4096 bytes.
  @Test func `when a high bit rate is re-encoded then the frames last as long as planned`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make(
      "a.eac3", ["-ac", "6", "-c:a", "eac3", "-b:a", "3000k"], in: folder)
    let output = folder.path(of: "cut.eac3")
    let report = try Self.cut(
      path, to: output, from: MediaTime(101, 100), to: MediaTime(202, 100), isStrict: true)
    // 48,480 samples, in frames of 1536.
    #expect(report.plan.written.length == MediaDuration(32 * 1536, 48_000))
    #expect(report.examination?.presented == report.plan.written.length)
  }

  @Test func `when few frames are left then readers may not recognize it, which is reported`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make("a.mp2", rate: 22_050, ["-c:a", "mp2"], in: folder)
    let error = #expect(throws: MediaError.self) {
      try Self.cut(
        path, to: folder.path(of: "cut.mp2"), from: .zero, to: MediaTime(1, 20))
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("only 1 audio packet") == true)
  }
}
