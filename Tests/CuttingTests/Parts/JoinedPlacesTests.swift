import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Parts of 0.55 s, with pictures that last 1/30 s.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given parts to join that are not a whole number of frames long` {
  private static let starts: [Int64] = [5, 15, 25, 7, 17]

  private func make(
    _ name: String, _ coding: [String], in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=4", "-f", "lavfi", "-i",
        "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-g", "30",
      ] + coding + [path])
    return path
  }

  private func join(
    _ path: String, _ ranges: [(MediaTime, MediaTime)], into output: String
  ) throws -> MediaFacts {
    let parts = try ranges.map { try #require(MediaTimeRange(from: $0.0, to: $0.1)) }
    var request = CutRequest(range: parts[0])
    for part in parts.dropFirst() { request.join(part) }
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    return try Prober().probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(wantsFrames: true))
  }

  private static let ranges = starts.map { (MediaTime($0, 10), MediaTime($0 * 10 + 55, 100)) }

  /// In AVI each part lasts a whole number of pictures, and so does its sound.
  ///
  /// With reordering the first picture is shown one picture late, and sound begins that much before it.
  @Test(arguments: [("2", 1), ("0", 0)] as [(String, Int64)])
  func `when AVI counts the frames then audio lasts as long as they do`(
    _ reordered: String, _ wait: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await make(
      "clip.avi", ["-c:v", "mpeg4", "-bf", reordered, "-c:a", "pcm_s16le"], in: folder)
    let facts = try join(path, Self.ranges, into: folder.path(of: "joined.avi"))
    #expect(facts.tracks[0].frameCount == Self.starts.count * 17)
    let lengths = facts.tracks.map(\.durations.presented?.length)
    #expect(lengths == [MediaDuration(85, 30), MediaDuration(85 + wait, 30)])
  }

  @Test func `when a part goes on after the last frame then it is a whole number of frames, too`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=2", "-f", "lavfi", "-i",
      "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "mpeg4", "-c:a", "pcm_s16le", path,
    ])
    let facts = try join(
      path,
      [(MediaTime(151, 100), MediaTime(275, 100)), (MediaTime(52, 100), MediaTime(103, 100))],
      into: folder.path(of: "joined.avi"))
    let lengths = facts.tracks.map(\.durations.presented?.length)
    #expect(lengths == [MediaDuration(54, 30), MediaDuration(54, 30)])
  }

  @Test(arguments: ["mkv", "ts", "mp4"])
  func `when the source's ticks are frames then each part begins where the one before ends`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await make(
      "clip.mp4", ["-c:v", "libx264", "-c:a", "aac", "-video_track_timescale", "30"], in: folder)
    let facts = try join(path, Self.ranges, into: folder.path(of: "joined." + ending))
    let frames = try #require(facts.tracks.first { $0.kind == .video }?.shownFrames)
    let first = try #require(frames.first).time
    for part in Self.starts.indices {
      let place = try first.advanced(by: MediaDuration(Int64(part) * 55, 100))
      let near = try frames.filter {
        try $0.time.distance(from: place).magnitude <= MediaDuration(1, 1000)
      }
      #expect(near.count == 1, "part \(part)")
    }
  }

  /// The positions and durations of the parts in samples are both rounded.
  @Test func `when audio is uncompressed then QuickTime has a single edit for it`() async throws {
    let folder = try ScratchFolder()
    let path = try await make("clip.mov", ["-c:v", "libx264", "-c:a", "pcm_s16le"], in: folder)
    let ranges: [(MediaTime, MediaTime)] = [
      (MediaTime(16_054, 10_000), MediaTime(20_194, 10_000)),
      (MediaTime(46, 10_000), MediaTime(10_889, 10_000)),
      (MediaTime(5446, 10_000), MediaTime(10_385, 10_000)),
      (MediaTime(25_543, 10_000), MediaTime(36_395, 10_000)),
    ]
    let facts = try join(path, ranges, into: folder.path(of: "joined.mov"))
    #expect(facts.tracks.first { $0.kind == .audio }?.edits.count == 1)
  }
}
