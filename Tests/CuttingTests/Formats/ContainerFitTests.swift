import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting
@testable import Probing

/// Two seconds in one codec.
private struct OneTrack: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var ending: String
  var words: [String]
  /// The file extensions of the containers that hold it.
  var fits: [String]

  static let endings = ["mp4", "mov", "mkv", "webm", "ts", "avi", "ogg"]

  private static func picture(
    _ name: String, _ ending: String, _ words: [String], fits: [String]
  ) -> OneTrack {
    OneTrack(
      testDescription: name, ending: ending,
      words: ["testsrc2=size=160x96:rate=25:d=2", "-pix_fmt", "yuv420p"] + words, fits: fits)
  }

  private static func sound(
    _ name: String, _ ending: String, _ words: [String], fits: [String]
  ) -> OneTrack {
    OneTrack(
      testDescription: name, ending: ending,
      words: ["anoisesrc=r=48000:d=2:seed=3:a=0.4", "-ac", "2"] + words, fits: fits)
  }

  static let pictures = [
    picture(
      "MPEG-4 part 2 in MP4, whose size only its decoder knows", "mp4",
      ["-c:v", "mpeg4", "-g", "12", "-bf", "2"], fits: ["mp4", "mov", "mkv", "avi", "ts"]),
    picture(
      "H.264 without reordering", "mp4", ["-c:v", "libx264", "-bf", "0", "-g", "12"],
      fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    picture(
      "H.264 with reordering", "mp4", ["-c:v", "libx264", "-bf", "2", "-g", "12"],
      fits: ["mp4", "mov", "mkv", "ts"]),
    picture(
      "HEVC with messages in its configuration", "mp4",
      ["-c:v", "libx265", "-g", "12", "-x265-params", "log-level=none"],
      fits: ["mp4", "mov", "mkv", "ts"]),
    picture(
      "VP9", "mp4", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
      fits: ["mp4", "mkv", "webm", "avi"]),
    picture("MPEG-1", "mkv", ["-c:v", "mpeg1video"], fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    picture(
      "MPEG-2 of keyframes", "mkv", ["-c:v", "mpeg2video", "-g", "1"],
      fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    picture("ProRes", "mov", ["-c:v", "prores_ks"], fits: ["mov", "mkv"]),
    picture("Ut Video in AVI", "avi", ["-c:v", "utvideo"], fits: ["mov", "mkv", "avi"]),
    picture(
      "RGB without a coding", "avi", ["-c:v", "rawvideo", "-pix_fmt", "bgra"],
      fits: ["mov", "avi"]),
    picture("QuickTime Animation", "mov", ["-c:v", "qtrle", "-pix_fmt", "argb"], fits: ["mov"]),
  ]

  static let sounds = [
    sound("AAC", "mov", ["-c:a", "aac"], fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    sound("AAC with headers", "ts", ["-c:a", "aac"], fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    sound(
      "TrueHD, which begins with some packets only", "mkv",
      ["-c:a", "truehd", "-strict", "-2"], fits: ["mkv"]),
    sound("AC-3", "mkv", ["-c:a", "ac3"], fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    sound("AC-3 in MP4", "mp4", ["-c:a", "ac3"], fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    sound("E-AC-3", "mkv", ["-c:a", "eac3"], fits: ["mp4", "mov", "mkv", "ts"]),
    sound("MP3", "mkv", ["-c:a", "libmp3lame"], fits: ["mp4", "mov", "mkv", "ts", "avi"]),
    sound("Opus", "mkv", ["-c:a", "libopus"], fits: ["mp4", "mkv", "webm", "ts", "ogg"]),
    sound(
      "Opus in MP4", "mp4", ["-c:a", "libopus"], fits: ["mp4", "mkv", "webm", "ts", "ogg"]),
    sound("FLAC", "mkv", ["-c:a", "flac"], fits: ["mp4", "mkv", "ogg"]),
    sound("ALAC", "mov", ["-c:a", "alac"], fits: ["mp4", "mov", "mkv"]),
    sound("DTS", "mkv", ["-c:a", "dca", "-strict", "-2"], fits: ["mp4", "mov", "mkv", "ts"]),
    sound("Vorbis", "mkv", ["-c:a", "libvorbis"], fits: ["mp4", "mov", "mkv", "webm", "ogg"]),
    sound("PCM", "mkv", ["-c:a", "pcm_s24le"], fits: ["mov", "mkv", "avi"]),
    sound("ADPCM", "wav", ["-c:a", "adpcm_ms"], fits: ["mov", "mkv", "avi"]),
    sound("µ-law", "wav", ["-c:a", "pcm_mulaw"], fits: ["mov", "mkv", "avi"]),
  ]

  func make(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-f", "lavfi", "-i"] + words + [path])
    return path
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file of one codec that is cut into every container` {
  @Test(arguments: Sample.of(OneTrack.pictures, 4) + Sample.of(OneTrack.sounds, 5))
  fileprivate func `then it is proven right where it fits, and refused with a hint elsewhere`(
    _ track: OneTrack
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await track.make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(611, 1000), to: MediaTime(1577, 1000)))
    let request = CutRequest(range: range, verification: .full)
    for ending in OneTrack.endings {
      let container = try #require(OutputContainer(nameEnding: ending))
      // Sound only becomes Opus there, as the extension requires.
      let becomesOpus =
        ending == "ogg" && clip.facts.tracks.allSatisfy { $0.kind == .audio }
        && !track.fits.contains("ogg")
      guard becomesOpus || track.fits.contains(ending) else {
        let error = #expect(throws: MediaError.self, "\(ending)") {
          try clip.plan(request, for: container)
        }
        #expect(error?.code == .codecDoesNotFit, "\(ending)")
        #expect(error?.hint?.hasPrefix("These can hold it: .") == true, "\(ending)")
        continue
      }
      let output = folder.path(of: "cut." + ending)
      let report = try clip.cut(request, to: Array(output.utf8), as: container)
      #expect(report.plan.tracks.count == 1)
      #expect(report.plan.tracks.map(\.encodedAs) == [becomesOpus ? "opus" : nil])
      let run = try await EncodedClip.ffmpeg(["-v", "error", "-i", output, "-f", "null", "-"])
      #expect(run.errText.isEmpty, "\(ending): \(run.errText)")
    }
  }

  @Test func `then the container's pixel aspect ratio wins over that of the bitstream`()
    async throws
  {
    let folder = try ScratchFolder()
    let pictures = OneTrack(
      testDescription: "", ending: "mp4",
      words: ["testsrc2=size=160x96:rate=25:d=2", "-c:v", "mpeg4", "-aspect", "16:9"], fits: [])
    let stated = folder.path(of: "stated.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await pictures.make(in: folder), "-c", "copy", "-aspect", "4:3",
      stated,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(stated.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(0), to: MediaTime(1)))
    for container in [OutputContainer.mp4, .matroska] {
      let output = folder.path(of: "cut\(container.endings)")
      _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: container)
      let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
      #expect(facts.tracks.first?.video?.sampleAspectRatio == Rational(4, 5), "\(container)")
    }
  }

  @Test func `then AAC without a decoder configuration stays in MP4`() async throws {
    let folder = try ScratchFolder()
    let sound = OneTrack(
      testDescription: "", ending: "mp4",
      words: ["anoisesrc=r=48000:d=2:seed=3:a=0.4", "-c:a", "aac"], fits: [])
    var bytes = try fileBytes(try await sound.make(in: folder))
    let name = Array("esds".utf8)
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: name) })
    bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    let path = folder.path(of: "bare.mp4")
    try folder.write(bytes, to: "bare.mp4")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(0), to: MediaTime(1)))
    let request = CutRequest(range: range)
    #expect(try clip.plan(request, for: .mp4).tracks[0].packets > 0)
    for container in [OutputContainer.matroska, .mpegts, .mov] {
      let error = #expect(throws: MediaError.self) { try clip.plan(request, for: container) }
      #expect([.notCuttable, .codecDoesNotFit].contains(error?.code), "\(container)")
    }
  }

  @Test(arguments: ["mov", "mkv", "avi", "wav"])
  fileprivate func `then uncompressed samples are exactly those of the range`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let pcm = OneTrack(
      testDescription: "", ending: "mkv",
      words: ["anoisesrc=r=48000:d=2:seed=3:a=0.4", "-ac", "2", "-c:a", "pcm_s16le"], fits: [])
    let path = try await pcm.make(in: folder)
    let output = folder.path(of: "cut." + ending)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(611, 1000), to: MediaTime(1577, 1000)))
    _ = try clip.cut(
      CutRequest(range: range), to: Array(output.utf8),
      as: try #require(OutputContainer(nameEnding: ending)))
    let source = try await Self.samples(path)
    let written = try await Self.samples(output)
    // Four bytes a sample, 48 samples a millisecond.
    let millisecond = 48 * 4
    let isSame = written == Array(source[611 * millisecond..<1577 * millisecond])
    #expect(isSame)
    #expect(written.count == 966 * millisecond)
  }

  private static func samples(_ path: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an animated GIF` {
  /// FFmpeg's demuxer joins some of its frames, as its parser finds only the first frame start.
  @Test func `then it is refused where its frames would be merged, and copied into QuickTime`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.gif")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-final_delay", "150", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(17, 5)))
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range), for: .matroska)
    }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.hasPrefix("These can hold it: .mov.") == true)
    let output = folder.path(of: "cut.mov")
    let report = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    #expect(report.plan.frames == 20)
    let cut = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(cut.facts.durations.presented?.length == MediaDuration(17, 5))
  }
}

/// Copies keep the source's boxes; re-encoded sound is described by FFmpeg's muxers, which support
/// fewer codecs.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 with audio that another MP4 variant holds only as a copy` {
  private static func clip(_ sound: String, in folder: ScratchFolder) async throws -> OpenedFile {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.3", "-c:a", sound, path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static func request() throws -> CutRequest {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 3), to: MediaTime(2))))
    request.isSoundAlone = true
    return request
  }

  @Test(arguments: ["libopus", "eac3"], [OutputContainer.m4a, .threeGP])
  func `when it is re-encoded then it becomes a codec that can be described`(
    _ sound: String, _ container: OutputContainer
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(sound, in: folder)
    #expect(try clip.plan(Self.request(), for: container).tracks[0].encodedAs == nil)
    var strict = try Self.request()
    strict.isStrict = true
    var joined = try Self.request()
    joined.join(try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(5, 2))))
    var asked = try Self.request()
    asked.audio = .reencode
    for (number, request) in [strict, joined, asked].enumerated() {
      let output = folder.path(of: "\(number)." + container.rules.nameEndings[0])
      let report = try clip.cut(request, to: Array(output.utf8), as: container)
      #expect(report.plan.tracks[0].encodedAs == "aac")
      #expect(report.plan.tracks[0].reasons.contains(.codecDoesNotFit))
    }
  }

  @Test func `when it is lossless then it is refused unless loss was allowed`() async throws {
    let clip = try await Self.clip("alac", in: ScratchFolder())
    let error = #expect(throws: MediaError.self) {
      try clip.plan(Self.request(), for: .threeGP)
    }
    #expect(error?.code == .codecDoesNotFit)
    var asked = try Self.request()
    asked.audio = .reencode
    #expect(try clip.plan(asked, for: .threeGP).tracks[0].encodedAs == "aac")
  }
}
