import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Matroska's timestamps show a gap after the first packet of samples.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given PCM in Matroska with a gap after its first packet` {
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3:a=0.4", "-ac", "1", "-c:a",
      "pcm_s16le", "-bsf:a", "setts=ts=TS+2*gt(N\\,0)", path,
    ])
    return path
  }

  private func samples(_ path: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-c", "copy", "-f", "s16le", "-"]).out
  }

  @Test(arguments: ["mkv", "wav", "mov"], [4, 10, 22] as [Int64])
  func
    `when IN is within or after that packet then it begins with the sample that is heard there`(
      _ ending: String, _ milliseconds: Int64
    ) async throws
  {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let source = try await samples(path)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(
      MediaTimeRange(from: MediaTime(milliseconds, 1000), to: MediaTime(1)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let cut = try await samples(output)
    // A packet has 1024 samples of two bytes.
    let first = Int(milliseconds) * 96
    if first < 1200 { #expect(cut.prefix(400) == source[first..<first + 400]) }
    // Elsewhere timestamps show the gap; without timestamps it is filled with silence.
    if ending != "mkv" { #expect(cut.count == 96_000 - first) }
    let isTold = report.plan.tracks.contains { $0.reasons.contains(.gapsFilled) }
    #expect(isTold == (ending != "mkv"))
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file with PCM in Matroska that has a gap of one second` {
  private static func open(_ folder: ScratchFolder) async throws -> OpenedFile {
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=5", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=5:seed=3:a=0.4", "-af", "aselect='not(between(t,2,3))'", "-c:v",
      "mjpeg", "-c:a", "pcm_s16le", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static func range(_ from: Int64, _ to: Int64) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: MediaTime(from, 10), to: MediaTime(to, 10)))
  }

  @Test(arguments: ["mkv", "mov"])
  func `when the range is in the gap then the video is cut without audio`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let report = try await Self.open(folder).cut(
      CutOrder(
        CutRequest(range: Self.range(22, 28)), to: Array(folder.path(of: "cut." + ending).utf8)))
    #expect(report.plan.frames == 15)
    let sound = try #require(report.plan.tracks.first { $0.kind == .audio })
    #expect(sound.dropped != nil)
  }

  @Test func `when only the audio of a range in the gap is requested then it is refused`()
    async throws
  {
    let clip = try await Self.open(ScratchFolder())
    var request = CutRequest(range: try Self.range(22, 28))
    request.isSoundAlone = true
    let error = #expect(throws: MediaError.self) { try clip.plan(request, for: .wav) }
    #expect(error?.code == .emptyRange)
  }

  @Test func `when silence will fill the gap then the plan says so, as the report does`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try await Self.open(folder)
    let request = CutRequest(range: try Self.range(15, 40))
    func count(_ plan: CutPlan) -> Int {
      plan.tracks.reduce(0) { $0 + $1.reasons.count { $0 == .gapsFilled } }
    }
    #expect(count(try clip.plan(request, for: .mov)) == 1)
    #expect(count(try clip.plan(request, for: .matroska)) == 0)
    let report = try clip.cut(CutOrder(request, to: Array(folder.path(of: "cut.mov").utf8)))
    #expect(count(report.plan) == 1)
  }
}

/// Samples of WAV and AVI play back to back: there can be no gap.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given PCM with a gap of twelve seconds` {
  @Test(arguments: ["wav", "avi", "aiff", "caf"], [true, false])
  func `when it is cut then silence keeps what follows in its place`(
    _ ending: String, _ isAlone: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    // A tone at 0.5 s and one at 14.5 s.
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error"]
        + (isAlone ? [] : ["-f", "lavfi", "-i", "color=s=64x64:r=5:d=16"]) + [
          "-f", "lavfi", "-i",
          "aevalsrc='if(between(mod(t,14),0.5,0.6),0.5*sin(2*PI*1000*t),0)':s=8000:d=16", "-af",
          "aselect='not(between(t,1,13))'", "-c:v", "mjpeg", "-c:a", "pcm_s16le", path,
        ])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(15)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.tracks.last?.reasons.contains(.gapsFilled) == true)
    let sound = HeardAudio.samples(
      try await EncodedClip.ffmpeg(["-v", "error", "-i", output, "-f", "s16le", "-ac", "1", "-"])
        .out)
    #expect(abs(sound.count - 118_400) <= 16)
    let first = try #require(sound.firstIndex { $0.magnitude > 3000 })
    let later = try #require(sound[8000...].firstIndex { $0.magnitude > 3000 })
    #expect(abs(first - 2400) <= 16)
    #expect(abs(later - 114_400) <= 16)
  }
}
