import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// What a container states, and what a decoder makes of it (Decision 021).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file whose times differ from the decoder's output` {
  private func make(_ name: String, _ words: [String], in folder: ScratchFolder) async throws
    -> String
  {
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(["-v", "error"] + words + [path])
    return path
  }

  private func probe(_ path: String, _ depth: RequestedDepth) throws -> MediaFacts {
    try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1"]
  private static let sound = ["-f", "lavfi", "-i", "sine=r=48000:d=1"]

  /// Reordered H.264 is held back by two pictures, MPEG-4 by one.
  @Test(
    arguments: [("libx264", 2, 2), ("libx264", 0, 0), ("mpeg4", 2, 1), ("mpeg4", 0, 0)]
      as [(String, Int, Int64)])
  func `when it is an AVI then each picture is presented when FFmpeg shows it`(
    _ codec: String, _ reordered: Int, _ delay: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await make(
      "clip.avi",
      Self.picture + Self.sound
        + ["-fps_mode", "passthrough", "-c:v", codec, "-bf", "\(reordered)", "-c:a", "mp3"],
      in: folder)
    let shown = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framecrc", "-",
    ])
    // Of each line after the header, the third number is the PTS.
    let times = String(decoding: shown.out, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { line in
        line.split { ", ".contains($0) }.dropFirst(2).first.flatMap { Int64($0) }
      }
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try probe(path, depth)
      let range = try #require(facts.tracks[0].durations.presented)
      #expect(range.start == MediaTime(delay, 25))
      #expect(range.start == MediaTime(try #require(times.first), 25))
      #expect(range.end == MediaTime(try #require(times.last) + 1, 25))
      #expect(facts.durations.presented?.start == .zero)
    }
  }

  /// Its times are milliseconds.
  @Test(arguments: ["wmav1", "wmav2"], [44_100, 22_050])
  func `when it is Windows Media Audio then it presents the samples that are decoded`(
    _ codec: String, _ rate: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await make(
      "clip.wma",
      ["-f", "lavfi", "-i", "sine=r=\(rate):d=1.3", "-c:a", codec, "-b:a", "64k"], in: folder)
    let facts = try probe(path, .frames)
    let run = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"])
    let length = MediaDuration(Int64(run.out.count / 2), Int64(rate))
    #expect(facts.durations.presented?.length == length)
    #expect(facts.durations.decoded?.length == length)
  }

  /// An edit that ends inside a packet, and one that ends after all 40 of them.
  @Test(arguments: [(1000, 1000), (5000, 1280)] as [(UInt64, Int64)])
  func `when an edit list states another length than E-AC-3 then nothing is added`(
    _ edit: UInt64, _ milliseconds: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await make(
      "clip.mp4",
      [
        "-f", "lavfi", "-i", "sine=r=48000:d=1.28", "-c:a", "eac3", "-use_editlist", "1",
      ], in: folder)
    var bytes = try fileBytes(path)
    // One entry of version 0: its duration is in milliseconds, then the media time.
    let entry = try #require(bytes.firstRange(of: Array("elst".utf8))).upperBound + 8
    for index in 0..<4 {
      bytes[entry + index] = UInt8(truncatingIfNeeded: edit >> (24 - 8 * index))
    }
    for index in 4..<8 { bytes[entry + index] = 0 }
    let changed = try folder.write(bytes, to: "changed.mp4")
    for depth in [RequestedDepth.auto, .packets, .frames] {
      #expect(
        try probe(changed, depth).durations.presented?.length
          == MediaDuration(milliseconds, 1000), "\(depth)")
    }
  }
}
