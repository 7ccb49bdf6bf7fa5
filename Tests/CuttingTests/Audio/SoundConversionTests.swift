import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// A file whose sound is noise that never repeats.
private struct NoisyClip: Sendable, CustomTestStringConvertible {
  var sound: String
  var ending: String
  var words: [String]
  var rate = 48000
  var channels = 2

  var testDescription: String { "\(sound) of \(rate) Hz, \(channels) channels, in \(ending)" }

  static let aac = NoisyClip(sound: "aac", ending: "mp4", words: ["-c:a", "aac", "-b:a", "256k"])
  static let opus = NoisyClip(
    sound: "opus", ending: "mkv", words: ["-c:a", "libopus", "-b:a", "256k"])

  func make(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-f", "lavfi", "-i",
        "anoisesrc=r=\(rate):d=4:seed=3:a=0.3", "-af", "lowpass=4000", "-ac", "\(channels)",
        "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p",
      ] + words + [path])
    return path
  }

  /// The samples of a file at a rate, all channels mixed.
  static func samples(_ path: String, rate: Int) async throws -> [Int16] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-ar", "\(rate)", "-f", "s16le", "-",
    ])
    return HeardAudio.samples(run.out)
  }
}

private struct Conversion: Sendable, CustomTestStringConvertible {
  var clip: NoisyClip
  var output: String
  /// `nil` where its packets are copied.
  var codec: String?
  /// Extra samples that FFmpeg decodes after the end, where it ignores the container's end.
  var surplus = 0

  var testDescription: String { "\(clip.testDescription) into \(output)" }

  static let all = [
    Conversion(clip: .aac, output: "x.mp3", codec: "mp3"),
    Conversion(clip: .aac, output: "x.wav", codec: "pcm_s16le"),
    Conversion(clip: .aac, output: "x.flac", codec: "flac"),
    Conversion(clip: .aac, output: "x.opus", codec: "opus"),
    Conversion(clip: .aac, output: "x.ogg", codec: "opus"),
    Conversion(clip: .aac, output: "x.m4a", surplus: 1023),
    Conversion(clip: .opus, output: "x.m4a", codec: "aac", surplus: 1023),
    Conversion(clip: .opus, output: "x.mp3", codec: "mp3"),
    Conversion(clip: .opus, output: "x.aac", codec: "aac", surplus: 1023),
    Conversion(clip: .opus, output: "x.wav", codec: "pcm_s16le"),
    Conversion(
      clip: NoisyClip(
        sound: "aac", ending: "mp4", words: ["-c:a", "aac", "-b:a", "256k"], rate: 44100),
      output: "x.opus", codec: "opus"),
    Conversion(
      clip: NoisyClip(sound: "aac", ending: "mp4", words: ["-c:a", "aac"], rate: 96000),
      output: "x.mp3", codec: "mp3"),
    Conversion(
      clip: NoisyClip(sound: "aac", ending: "mp4", words: ["-c:a", "aac"], channels: 6),
      output: "x.mp3", codec: "mp3"),
    Conversion(
      clip: NoisyClip(
        sound: "aac", ending: "mp4", words: ["-c:a", "aac", "-b:a", "512k"], channels: 6),
      output: "x.opus", codec: "opus"),
    Conversion(
      clip: NoisyClip(sound: "pcm_s16le", ending: "mov", words: ["-c:a", "pcm_s16le"]),
      output: "x.m4a", codec: "aac", surplus: 1023),
    Conversion(
      clip: NoisyClip(sound: "pcm_s24be", ending: "mov", words: ["-c:a", "pcm_s24be"]),
      output: "x.flac", codec: "flac"),
    Conversion(
      clip: NoisyClip(
        sound: "flac", ending: "mkv", words: ["-c:a", "flac", "-sample_fmt", "s16"], rate: 44100),
      output: "x.wav", codec: "pcm_s16le"),
    Conversion(
      clip: NoisyClip(
        sound: "flac", ending: "mkv", words: ["-c:a", "flac", "-sample_fmt", "s32"], rate: 44100),
      output: "x.wav", codec: "pcm_s24le"),
    Conversion(
      clip: NoisyClip(sound: "flac", ending: "mkv", words: ["-c:a", "flac"], rate: 44100),
      output: "x.mp3", codec: "mp3"),
    Conversion(
      clip: NoisyClip(sound: "flac", ending: "mkv", words: ["-c:a", "flac"], rate: 44100),
      output: "x.opus", codec: "opus"),
  ]
}

private let isPossible: Bool = EncodedClip.isPossible

@Suite(.enabled(if: isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file and an output that is audio only` {
  @Test(arguments: Sample.of(Conversion.all, 5))
  fileprivate func `then its audio is there, every sample where it was, and as long as the range`(
    _ conversion: Conversion
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await conversion.clip.make(in: folder)
    let output = folder.path(of: conversion.output)
    let (from, to) = (MediaTime(1111, 1000), MediaTime(3217, 1000))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: from, to: to)), verification: .full)
    request.isSoundAlone = true
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(
        CutOrder(request, to: Array(output.utf8)))
    let track = try #require(report.plan.tracks.first { $0.kind == .audio })
    #expect(track.encodedAs?.rawValue == conversion.codec)
    #expect((track.encoded == track.packets) == (conversion.codec != nil))
    #expect(report.plan.tracks.filter { $0.dropped != nil }.map(\.kind) == [.video])
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.map(\.kind) == [.audio])
    #expect(facts.tracks.first?.codec.rawValue == conversion.codec ?? conversion.clip.sound)
    if !conversion.output.hasSuffix("aac") {
      // Exact to the sample.
      let length = try #require(facts.durations.presented?.length)
      let error = try length.subtracting(MediaDuration(2106, 1000)).checkedMagnitude()
      #expect(error < MediaDuration(1, 44100), "\(length)")
    }
    let rate = 48000
    let source = try await NoisyClip.samples(path, rate: rate)
    let written = try await NoisyClip.samples(output, rate: rate)
    let (first, count) = (1111 * rate / 1000, 2106 * rate / 1000)
    #expect((count - 2...count + conversion.surplus + 2).contains(written.count))
    for place in [4000, count - 12000] {
      #expect(
        abs(HeardAudio.lag(of: written[place..<place + 8000], in: source, near: first + place)) <= 1
      )
    }
  }

  @Test func `when parts are joined then they become one audio stream in another codec`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await NoisyClip.aac.make(in: folder)
    let output = folder.path(of: "x.mp3")
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(3))))
    request.join(try #require(MediaTimeRange(from: MediaTime(1, 3), to: MediaTime(1))))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.tracks.compactMap(\.encodedAs) == ["mp3"])
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.durations.presented?.length == MediaDuration(5, 3))
  }

  @Test func `when nothing from outside the range may be kept then all packets are re-encoded`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await NoisyClip.aac.make(in: folder)
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2))))
    request.isStrict = true
    let plan = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .plan(CutOrder(request, to: Array(folder.path(of: "x.m4a").utf8)))
    let track = try #require(plan.tracks.first { $0.kind == .audio })
    #expect(track.encoded == track.packets)
    #expect(track.encodedAs == nil)
    #expect(track.reasons == [.strictRange])
  }
}

@Suite(.enabled(if: isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file and an output that does not hold its audio` {
  private static let pcm = NoisyClip(
    sound: "pcm_s16le", ending: "mov", words: ["-c:a", "pcm_s16le"])
  private static let wma = NoisyClip(sound: "wmav2", ending: "mkv", words: ["-c:a", "wmav2"])

  /// Without pictures, as reordered H.264 does not fit into AVI.
  private static let opus = NoisyClip(
    sound: "opus", ending: "mkv", words: ["-c:a", "libopus", "-vn"])

  private static func order(
    _ audio: AudioMode, _ output: String
  ) throws -> CutOrder {
    var request = CutRequest(
      range: try #require(
        MediaTimeRange(from: MediaTime(1111, 1000), to: MediaTime(3217, 1000))),
      verification: .full)
    request.audio = audio
    return CutOrder(request, to: Array(output.utf8))
  }

  @Test(
    arguments: zip(
      [pcm, pcm, pcm, wma, wma, opus], ["mp4", "ts", "mkv", "mp4", "mkv", "avi"]))
  fileprivate func `when audio is re-encoded then it becomes what the container holds`(
    _ clip: NoisyClip, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip.make(in: folder)
    let output = folder.path(of: "cut." + ending)
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(try Self.order(.reencode, output))
    let codec = ending == "avi" ? "mp3" : "aac"
    let track = try #require(report.plan.tracks.first { $0.kind == .audio })
    // Uncompressed samples are kept where they fit.
    let stays = clip.sound == "pcm_s16le" && ending == "mkv"
    #expect(track.encodedAs?.rawValue == (stays ? nil : codec))
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.last?.codec.rawValue == (stays ? "pcm_s16le" : codec))
    let heard = try await NoisyClip.samples(output, rate: 48000)
    let whole = try await NoisyClip.samples(path, rate: 48000)
    let place = 1111 * 48 + 20_000
    // Matroska states the times of WMA in milliseconds.
    let lag = HeardAudio.lag(of: heard[20_000..<28_000], in: whole, near: place)
    #expect(abs(lag) <= (clip.sound == "wmav2" ? 24 : 1), "\(ending)")
  }

  @Test func `when its packets are to be copied then it is refused, suggesting what would fit`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.pcm.make(in: folder)
    let order = try Self.order(.copy, folder.path(of: "cut.mp4"))
    let error = #expect(throws: MediaError.self) {
      try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).plan(order)
    }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.contains("aac") == true)
  }
}
