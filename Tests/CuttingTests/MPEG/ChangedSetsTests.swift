import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Concatenated streams, and cameras that change scaling lists: a set replaces another.
///
/// Frames 0 to 49 use one set, 50 to 99 another.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a transport stream whose parameter sets change` {
  private static let words = [
    "h264": [
      ["-c:v", "libx264", "-x264-params", "bframes=2"],
      ["-c:v", "libx264", "-x264-params", "bframes=2:cabac=0:ref=5:8x8dct=0"],
    ],
    "hevc": [
      ["-c:v", "libx265", "-x265-params", "log-level=none:bframes=2"],
      ["-c:v", "libx265", "-x265-params", "log-level=none:bframes=2:ctu=16:no-sao=1"],
    ],
  ]

  private func clip(_ codec: String, in folder: ScratchFolder) async throws -> OpenedFile {
    try await clip(try #require(Self.words[codec]), in: folder)
  }

  /// - Parameter spacing: frame duration of each part, in 25ths of a second.
  private func clip(
    _ words: [[String]], spacing: [Int] = [1, 1], in folder: ScratchFolder
  ) async throws -> OpenedFile {
    let parts = zip(words, spacing).map { words, spacing in
      StreamsEndToEnd.Part(words: words + ["-preset", "veryfast"], spacing: spacing)
    }
    let path = try await StreamsEndToEnd.make(parts, in: folder)
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private func cut(
    _ clip: OpenedFile, _ parts: [ClosedRange<Int64>], to output: String
  ) throws -> CutReport {
    let ranges = try parts.map { frames in
      try #require(
        MediaTimeRange(
          from: MediaTime(frames.lowerBound, 25), to: MediaTime(frames.upperBound + 1, 25)))
    }
    var request = CutRequest(range: ranges[0], verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    return try clip.cut(CutOrder(request, to: Array(output.utf8)))
  }

  /// Every copied picture is in its place.
  private func check(
    _ output: String, _ parts: [ClosedRange<Int64>], of folder: ScratchFolder
  ) async throws {
    let source = try await EncodedClip.pictures(of: folder.path(of: "clip.ts"))
    let cut = try await EncodedClip.pictures(of: output)
    let frames = parts.flatMap { Array($0) }
    try #require(source.count == 100 && cut.count == frames.count)
    let same = zip(cut, frames).count { $0 == source[Int($1)] }
    #expect(same >= frames.count / 3)
    let misplaced = zip(cut, frames).contains { picture, frame in
      source.firstIndex(of: picture).map { $0 != frame } ?? false
    }
    #expect(!misplaced)
  }

  @Test(arguments: ["h264", "hevc"], [3...46, 53...96] as [ClosedRange<Int64>])
  func `when they do not change within the range then MP4 and QuickTime have them in the header`(
    _ codec: String, _ frames: ClosedRange<Int64>
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(codec, in: folder)
    for ending in ["mp4", "mov", "mkv"] {
      let output = folder.path(of: "cut." + ending)
      let report = try cut(clip, [frames], to: output)
      #expect(!report.plan.tracks[0].reasons.contains(.setsInSamples))
      try await check(output, [frames], of: folder)
      guard ending != "mkv" else { continue }
      let entry = try Prober().probe(.file(path: Array(output.utf8))).tracks[0].codecTag
      #expect(entry == (codec == "h264" ? "avc1" : "hvc1"))
    }
  }

  @Test(
    arguments: ["h264", "hevc"],
    [[33...76], [60...69, 13...36, 45...76]] as [[ClosedRange<Int64>]])
  func `when they change within what is written then MP4 has them in its samples`(
    _ codec: String, _ parts: [ClosedRange<Int64>]
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(codec, in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try cut(clip, parts, to: output)
    #expect(report.plan.tracks[0].reasons.contains(.setsInSamples))
    try await check(output, parts, of: folder)
    let entry = try Prober().probe(.file(path: Array(output.utf8))).tracks[0].codecTag
    #expect(entry == (codec == "h264" ? "avc3" : "hev1"))
  }

  @Test(arguments: ["h264", "hevc"], ["mkv", "mp4", "ts"])
  func `when it was copied into Matroska then its pictures use their own parameter sets`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    _ = try await clip(codec, in: folder)
    let copy = folder.path(of: "copy.mkv")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-i", folder.path(of: "clip.ts"), "-c", "copy", copy])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(copy.utf8)))
    for frames in [3...46, 33...76, 53...96] as [ClosedRange<Int64>] {
      let output = folder.path(of: "cut\(frames.lowerBound)." + ending)
      _ = try cut(clip, [frames], to: output)
      try await check(output, [frames], of: folder)
    }
  }

  /// Apple's own players do not accept parameter sets in samples.
  @Test func `when they change within the range then QuickTime is refused`() async throws {
    let folder = try ScratchFolder()
    let clip = try await clip("h264", in: folder)
    let output = folder.path(of: "cut.mov")
    let error = #expect(throws: MediaError.self) { try cut(clip, [33...76], to: output) }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("parameter sets") == true)
    #expect((try? fileBytes(output)) == nil)
  }

  /// Reordered pictures are decoded up to two pictures before display: here 0.16 s, and 0.04 s in
  /// the first stream.
  @Test(arguments: ["mkv", "ts", "mp4"])
  func `when the second stream is decoded before the first has ended then the PTS give the order`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(
      [1, 3].map { ["-c:v", "libx264", "-x264-params", "bframes=\($0)"] }, spacing: [1, 2],
      in: folder)
    #expect(clip.facts.notes.contains { $0.id == .dtsBackwards })
    let output = folder.path(of: "cut." + ending)
    // Frame 77 begins at 2 s plus 27 times 0.08 s.
    let range = try #require(MediaTimeRange(from: MediaTime(33, 25), to: MediaTime(104, 25)))
    _ = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    try await check(output, [33...76], of: folder)
  }
}
