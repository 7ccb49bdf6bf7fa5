import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Sound files that end before their stated end: what is missing is reported, whatever the format.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given an audio file that states where it ends` {
  private static let formats = [
    ("aiff", []), ("au", []), ("caf", []), ("w64", []), ("wav", ["-rf64", "always"]), ("tta", []),
    ("wav", []),
  ]

  private func file(_ ending: String, _ words: [String]) async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound." + ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=3:r=44100"] + words + [path])
    return try fileBytes(path)
  }

  private func probe(_ bytes: [UInt8], _ depth: RequestedDepth) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "sound")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test(arguments: formats)
  func `when it ends earlier then that is reported, once, and what is there is presented`(
    _ ending: String, _ words: [String]
  ) async throws {
    let bytes = try await file(ending, words)
    #expect(try probe(bytes, .packets).damage.isEmpty)
    let half = Array(bytes.prefix(bytes.count / 2 + 1))
    for depth in [RequestedDepth.header, .packets, .frames] {
      let facts = try probe(half, depth)
      #expect(facts.damage.map(\.kind) == [.truncated], "\(depth)")
      guard depth != .header else { continue }
      let presented = try #require(facts.durations.presented).length
      #expect(presented < MediaDuration(8, 5) && presented > MediaDuration(1))
      if depth == .frames { #expect(facts.durations.decoded?.length == presented) }
    }
  }

  /// For other formats FFmpeg cannot read its own output to a pipe.
  @Test(arguments: ["au", "caf"])
  func `when it was written to a pipe then it leaves the end open, and is complete`(
    _ ending: String
  ) async throws {
    let bytes = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=1:r=44100", "-f", ending, "-",
    ]).out
    let facts = try probe(bytes, .frames)
    #expect(facts.damage.isEmpty)
    #expect(facts.durations.presented?.length == MediaDuration(1))
  }
}
