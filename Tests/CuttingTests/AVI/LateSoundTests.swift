import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// AVI has no timestamps for sound, and an Ogg page or PES packet may state one for many packets:
/// sound that begins late, or resumes after a gap, must stay in sync with its pictures.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given audio that is late or interrupted` {
  struct Clip: Sendable, CustomTestStringConvertible {
    /// What its sound is like.
    enum Sound: String, CaseIterable { case late, interrupted }

    var sound: Sound
    var video: String
    var audio: String
    /// The containers that it is cut from and into.
    var from = "mkv"
    var into: String

    var testDescription: String { "\(sound), \(video) and \(audio), \(from) to \(into)" }
  }

  private static let clips =
    Clip.Sound.allCases.flatMap { sound -> [Clip] in
      [
        Clip(sound: sound, video: "mpeg4", audio: "libmp3lame", into: "avi"),
        Clip(sound: sound, video: "mpeg4", audio: "ac3", into: "avi"),
        Clip(sound: sound, video: "mpeg4", audio: "pcm_s16le", into: "avi"),
        Clip(sound: sound, video: "libtheora", audio: "libvorbis", into: "ogv"),
        Clip(sound: sound, video: "libtheora", audio: "libopus", into: "ogv"),
        Clip(sound: sound, video: "libtheora", audio: "flac", into: "ogv"),
        Clip(sound: sound, video: "mpeg2video", audio: "aac", into: "ts"),
        Clip(sound: sound, video: "mpeg2video", audio: "aac", from: "ts", into: "ts"),
      ]
    } + [Clip(sound: .late, video: "libtheora", audio: "libvorbis", from: "ogv", into: "ogv")]

  /// Five seconds; white and a tone at 1.52 and 3.52 s, later by the delay for sound that begins late.
  private static func make(_ clip: Clip, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mkv")
    let now = "between(mod(t,2),1.52,1.61)"
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=black:s=160x96:r=25:d=5,drawbox=enable='\(now)':c=white:t=fill",
      ] + (clip.sound == .late ? ["-itsoffset", "0.7"] : []) + [
        "-f", "lavfi", "-i", "aevalsrc='if(\(now),0.5*sin(2*PI*1000*t),0)':s=48000:d=5", "-af",
        clip.sound == .interrupted
          ? "aselect='not(between(t,2,2.3)+between(t,2.6,2.64))'" : "anull",
        "-c:v", clip.video, "-g", "25", "-bf", "0", "-c:a", clip.audio, path,
      ])
    guard clip.from != "mkv" else { return path }
    let copy = folder.path(of: "clip." + clip.from)
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-c", "copy", copy])
    return copy
  }

  /// How many milliseconds the tone is later than the white picture, for each of the two.
  private static func lags(_ path: String) async throws -> [Int] {
    // Read on its own, sound would begin at zero.
    let samples = path + ".samples"
    let pictures = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-ar", "48000", "-af",
      "aresample=async=1:min_hard_comp=0.01:first_pts=0", "-f", "s16le", samples, "-map", "0:v",
      "-vf", "fps=25:start_time=0,scale=1:1,format=gray", "-f", "rawvideo", "-",
    ]).out
    let sound = HeardAudio.samples(try fileBytes(samples))
    let tones = beginnings(sound.lazy.map { $0.magnitude > 3000 }, apart: 24_000)
      .map { $0 * 1000 / 48_000 }
    let flashes = beginnings(pictures.lazy.map { $0 > 128 }, apart: 12).map { $0 * 40 }
    try #require(tones.count == flashes.count)
    return zip(tones, flashes).map { $0 - $1 }
  }

  private static func beginnings(_ values: some Sequence<Bool>, apart: Int) -> [Int] {
    var (found, last): ([Int], Int) = ([], -apart)
    for (place, isOn) in values.enumerated() where isOn {
      if place - last >= apart { found.append(place) }
      last = place
    }
    return found
  }

  @Test(arguments: Sample.of(clips, 3) { $0.into })
  func `when a part is cut then it stays in sync with the video`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(clip, in: folder)
    let output = folder.path(of: "cut." + clip.into)
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(24, 5)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let reported = report.plan.tracks.last?.offset?.seconds.approximation ?? 0
    let (before, after) = (try await Self.lags(path), try await Self.lags(output))
    try #require(before.count == 2)
    #expect(after.count == 2)
    for (one, other) in zip(before, after) {
      // FFmpeg shifts sound by less than a packet when closing gaps; Vorbis block sizes differ.
      let most = clip.sound == .late ? 10.0 : 20
      #expect(abs(Double(other - one) - reported * 1000) <= most, "\(before) became \(after)")
    }
    let difference = try report.length.subtracting(report.plan.length).checkedMagnitude()
    #expect(difference <= MediaDuration(1, 1000))
  }

  @Test
  func `when parts of uncompressed audio are joined in AVI then each is in its place`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make(
      Clip(sound: .interrupted, video: "mjpeg", audio: "pcm_s16le", into: "avi"), in: folder)
    let output = folder.path(of: "cut.avi")
    // The first ends within the gap.
    var request = CutRequest(
      range: try MediaTimeRange(from: MediaTime(1), length: MediaDuration(6, 5)))
    request.join(try MediaTimeRange(from: MediaTime(3), length: MediaDuration(1)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.tracks.last?.reasons.contains(.gapsFilled) == true)
    let lags = try await Self.lags(output)
    #expect(lags.count == 2)
    #expect(lags.allSatisfy { abs($0) < 5 })
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an AVI with more slots than frames` {
  /// FFmpeg copies streams this way when their timestamps do not fit the rate.
  @Test func `when a part is cut into AVI again then its frames keep their slots`() async throws {
    let folder = try ScratchFolder()
    let (whole, path) = (folder.path(of: "whole.mkv"), folder.path(of: "clip.avi"))
    // Its pictures begin later, and off the frame grid.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-itsoffset", "0.7", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=3", "-f",
      "lavfi", "-i", "sine=d=3", "-c:v", "mpeg4", "-g", "12", "-bf", "0", "-c:a", "libmp3lame",
      whole,
    ])
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", whole, "-c", "copy", path])
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    try #require(facts.tracks.first?.grid.map { $0.secondsPerTick < Rational(1, 25) } == true)
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2)))
    let output = folder.path(of: "cut.avi")
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(
      try await Self.times(output) == Array(try await Self.times(path).prefix(report.plan.frames)))
  }

  private static func times(_ path: String) async throws -> [Substring] {
    let run = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=dts_time", "-of",
        "csv=p=0", path,
      ].map { Array($0.utf8) }, limit: .seconds(60))
    return run.outText.split(separator: "\n")
  }
}
