import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

/// Sound that ends inside its last frame: one rule for every codec.
@Suite(
  .enabled(if: EncodedFilm.isPossible, Comment(rawValue: EncodedFilm.absence)),
  .timeLimit(.minutes(1)))
struct `Given sound that ends inside its last frame` {
  private static let encoders = [
    ("aac", ["-c:a", "aac"]), ("mp3", ["-c:a", "libmp3lame", "-write_xing", "0"]),
    ("flac", ["-c:a", "flac"]), ("ogg", ["-c:a", "libvorbis"]), ("ac3", ["-c:a", "ac3"]),
    ("eac3", ["-c:a", "eac3"]),
  ]

  private func probe(_ path: String, _ depth: RequestedDepth = .auto) throws -> MediaFacts {
    try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test(arguments: encoders)
  func `then that frame is not presented, and the file is damaged`(
    _ ending: String, _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let whole = folder.path(of: "whole." + ending)
    _ = try await EncodedFilm.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=3", "-id3v2_version", "0"] + words + [whole])
    let bytes = try fileBytes(whole)
    let cut = try folder.write(Array(bytes.dropLast(40)), to: "cut." + ending)

    let (before, after) = (try probe(whole), try probe(cut))
    #expect(before.damage.isEmpty)
    let damage = try #require(after.damage.first)
    #expect(damage.kind == .truncated)
    #expect(damage.byteOffset.map { $0 > 0 && $0 < bytes.count } == true)
    let lost = try #require(before.durations.presented).length
      .subtracting(#require(after.durations.presented).length)
    #expect(lost.isPositive)
    // Ogg's last page, which holds many packets, is lost as a whole.
    #expect(lost < MediaDuration(ending == "ogg" ? 3 : 1, 4) || ending == "ogg")
    let decoded = try #require(try probe(cut, .frames).durations.decoded)
    let presented = try #require(after.durations.presented)
    #expect(try decoded.length.subtracting(presented.length).magnitude <= MediaDuration(1, 20))
  }
}
