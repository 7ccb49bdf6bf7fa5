import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given parts of a file with packetized audio that go into one file` {
  static let rate = 48000
  /// In hundredths of a second.
  static let parts = [130..<270, 520..<890, 1200..<1301]

  private static func clip(in folder: ScratchFolder, _ sound: String) async throws -> String {
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=14", "-f", "lavfi",
      "-i", "anoisesrc=r=\(rate):d=14:seed=7", "-c:v", "libx264", "-preset", "ultrafast", "-g",
      "25",
      "-c:a", sound, "-b:a", "128k", path,
    ])
    return path
  }

  /// The sound of a file from an instant of the file's own clock on.
  ///
  /// By default FFmpeg's tool takes the earliest timestamp as zero: in Matroska that of Opus
  /// samples which are decoded but not heard.
  private static func samples(of path: String, from zero: MediaTime) async throws -> [Int16] {
    let start = try Rational(Int64(rate)).multiplied(by: zero.seconds).rounded(.nearest)
    let filters = "asetpts=PTS-\(start)/\(rate)/TB,aresample=async=1:first_pts=0"
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-copyts", "-i", path, "-map", "0:a:0", "-af", filters, "-ac", "1", "-f",
      "s16le", "-",
    ])
    return HeardAudio.samples(run.out)
  }

  @Test(arguments: ["aac", "libmp3lame", "libopus"], ["mp4", "mkv", "ts"])
  func `when they are joined then audio is where it belongs on both sides of every seam`(
    _ sound: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder, sound)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let ranges = try Self.parts.map { part in
      try #require(
        MediaTimeRange(
          from: MediaTime(Int64(part.lowerBound), 100), to: MediaTime(Int64(part.upperBound), 100)))
    }
    var request = CutRequest(range: ranges[0])
    for range in ranges.dropFirst() { request.join(range) }
    let output = folder.path(of: "joined." + ending)
    let container = try #require(OutputContainer(nameEnding: ending))
    let report = try clip.cut(request, to: Array(output.utf8), as: container)
    let track = try #require(report.plan.tracks.first { $0.kind == .audio })
    // The re-encoding is reported.
    #expect(track.encoded == track.packets)
    #expect(track.reasons.contains(.exactAtTheSeams))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    // Parts count from the start of the file; the first begins with a picture.
    let zero = try #require(clip.facts.durations.presented?.start)
    let pictures = try #require(written.facts.tracks.first { $0.kind == .video })
    let begin = try #require(pictures.durations.presented?.start)
    let before = try await Self.samples(of: path, from: zero)
    let after = try await Self.samples(of: output, from: begin)
    var seam = 0
    for part in Self.parts {
      let length = part.count * Self.rate / 100
      let from = part.lowerBound * Self.rate / 100
      for place in [2400, length - 3600] {
        let stretch = after[(seam + place)..<(seam + place + 1200)]
        let lag = HeardAudio.lag(of: stretch, in: before, near: from + place, atMost: 700)
        #expect(abs(lag) <= Self.rate / 1000, "\(part), \(place)")
      }
      seam += length
    }
    guard ending == "mp4" else { return }
    let native = try #require(written.source.native)
    #expect(native.movie.tracks.allSatisfy { $0.edits.count { !$0.isEmpty } <= 1 })
  }
}
