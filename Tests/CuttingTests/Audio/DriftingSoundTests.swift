import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Sound that was stretched to its pictures only by its timestamps, or stamped by a different clock.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio whose timestamps drift from its packet durations` {
  /// Ten seconds; tones at 1.5 and 7.5 s, 4 % later by timestamps.
  private static func clip(
    _ codec: String, in container: String, _ folder: ScratchFolder
  ) async throws -> String {
    let (plain, path) = (folder.path(of: "plain.mkv"), folder.path(of: "clip." + container))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "color=s=64x64:r=25:d=10", "-f", "lavfi", "-i",
      "aevalsrc='if(between(mod(t,6),1.5,1.6),0.5*sin(2*PI*1000*t),0)':s=48000:d=9.5", "-c:v",
      "mjpeg", "-c:a", codec, plain,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:a", "setts=ts=TS*1.04", "-strict", "-2",
      path,
    ])
    return path
  }

  /// MP4 states timestamp differences, while packets of Opus, Vorbis and FLAC contain their durations.
  private static let ways = [
    ("aac", "mkv", "avi"), ("aac", "mkv", "aac"), ("aac", "mkv", "mp4"),
    ("libmp3lame", "mkv", "avi"), ("libmp3lame", "mkv", "mp3"), ("ac3", "mkv", "avi"),
    ("libvorbis", "mkv", "ogg"), ("libvorbis", "mkv", "mp4"), ("libopus", "mkv", "ogg"),
    ("libopus", "mp4", "ogg"), ("libopus", "mp4", "mp4"), ("libvorbis", "mp4", "ogg"),
    ("libvorbis", "mp4", "mp4"), ("flac", "mp4", "ogg"), ("flac", "mp4", "mp4"),
  ]

  @Test(arguments: Sample.of(ways, 3) { $0.1 })
  func `when it is cut then tones are heard at their timestamps`(
    _ codec: String, _ container: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(codec, in: container, folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(9)))
    var request = CutRequest(range: range, verification: .full)
    // Ogg cannot hold such pictures.
    request.tracks = ending == "ogg" ? TrackChoice(kinds: [.audio]) : nil
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let reported = report.plan.tracks.last?.offset?.seconds.approximation ?? 0
    let sound = HeardAudio.samples(
      try await EncodedClip.ffmpeg([
        "-v", "error", "-i", output, "-map", "0:a", "-af",
        "aresample=async=1:first_pts=0:min_hard_comp=0.004", "-f", "s16le", "-ac", "1", "-ar",
        "48000", "-",
      ]).out)
    let first = try #require(sound.firstIndex { $0.magnitude > 3000 })
    try #require(sound.count > 240_000)
    let second = try #require(sound[240_000...].firstIndex { $0.magnitude > 3000 })
    // Without timestamps a cut begins with a whole packet, and decoders of AAC and MP3 add delay.
    let most = ["avi", "aac", "mp3"].contains(ending) ? 0.045 : 0.022
    for (place, time) in [(first, 1.56), (second, 7.8)] {
      let late = Double(place) / 48_000 - (time - 1) - reported
      #expect(abs(late) < most, "\(codec) in \(ending): \(late)")
    }
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio whose packets are stamped at random` {
  private static func sound(
    _ codec: String, by milliseconds: Int, in folder: ScratchFolder
  ) async throws -> String {
    let (plain, path) = (folder.path(of: "plain.mka"), folder.path(of: "sound.mka"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=9:seed=3:a=0.4", "-c:a", codec,
      plain,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:a",
      "setts=ts=TS+floor((random(1)-0.5)*\(2 * milliseconds))", path,
    ])
    return path
  }

  /// Up to steps backward: packets of Opus last 20 ms, those of Vorbis 21.
  @Test(arguments: ["libopus", "libvorbis"], [6, 19])
  func `when it is cut then it has the requested length, and is copied where it is slightly off`(
    _ codec: String, _ milliseconds: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.sound(codec, by: milliseconds, in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(33, 10), to: MediaTime(81, 10)))
    for ending in ["ogg", "mp4", "ts"] where ending != "ts" || codec == "libopus" {
      let output = folder.path(of: "cut." + ending)
      let report = try clip.cut(
        CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
      let difference = try report.length.subtracting(range.length).checkedMagnitude()
      #expect(difference <= MediaDuration(50, 1000), "\(ending)")
      let sound = try #require(report.plan.tracks.first)
      if milliseconds < 10 { #expect(sound.encoded == 0, "\(ending)") }
    }
  }
}

/// Frames of FLAC have numbers instead of times; all of a file can be copied.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given FLAC that is stamped by a different clock` {
  @Test(arguments: [("1.001", true), ("1.04", false)], ["mp4", "mka"])
  func `when all of it becomes a FLAC file then it is copied, or encoded where it drifts far`(
    _ clock: (factor: String, isCopied: Bool), _ container: String
  ) async throws {
    let folder = try ScratchFolder()
    let (plain, path) = (folder.path(of: "plain.mka"), folder.path(of: "sound." + container))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=5:seed=3:a=0.4", "-c:a", "flac",
      plain,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:a", "setts=ts=TS*\(clock.factor)",
      "-strict", "-2", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let all = try #require(clip.facts.durations.presented)
    let end = try MediaTime.zero.advanced(by: all.length)
    let range = try #require(MediaTimeRange(from: .zero, to: end))
    let output = Array(folder.path(of: "cut.flac").utf8)
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: output))
    #expect((report.plan.tracks[0].encoded == 0) == clock.isCopied)
  }
}

/// There is no encoder for the sound: packets can only be copied.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given DTS audio whose timestamps go back` {
  @Test func `when the container cannot hold them then another one is suggested`() async throws {
    let folder = try ScratchFolder()
    let (plain, path) = (folder.path(of: "plain.mka"), folder.path(of: "sound.mka"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a", "dca",
      "-strict", "-2", plain,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:a",
      "setts=ts=TS-if(eq(mod(N\\,50)\\,49)\\,15\\,0)", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    func cut(_ ending: String) throws(MediaError) {
      let output = Array(folder.path(of: "cut." + ending).utf8)
      _ = try clip.cut(CutOrder(CutRequest(range: range, verification: .full), to: output))
    }
    let error = try #require(throws: MediaError.self) { try cut("ts") }
    #expect(error.code == .notCuttable)
    #expect(error.hint?.contains(".mka") == true)
    try cut("mka")
  }
}
