import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Sound that ends inside its last frame: one rule for every codec.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given audio that ends inside its last frame` {
  private static let encoders = [
    ("aac", ["-c:a", "aac"]), ("mp3", ["-c:a", "libmp3lame", "-write_xing", "0"]),
    ("flac", ["-c:a", "flac"]), ("ogg", ["-c:a", "libvorbis"]), ("ac3", ["-c:a", "ac3"]),
    ("eac3", ["-c:a", "eac3"]), ("dts", ["-c:a", "dca", "-strict", "-2"]),
    ("mlp", ["-c:a", "mlp", "-strict", "-2"]), ("thd", ["-c:a", "truehd", "-strict", "-2"]),
    // A tag follows the last frame.
    ("wv", ["-c:a", "wavpack"]), ("tta", ["-c:a", "tta"]),
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
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=3", "-id3v2_version", "0"] + words + [whole])
    let bytes = try fileBytes(whole)
    let tag = bytes.ranges(of: Array("APETAGEX".utf8)).first?.lowerBound ?? bytes.count
    let cut = try folder.write(Array(bytes[..<(tag - 40)]), to: "cut." + ending)

    let (before, after) = (try probe(whole), try probe(cut))
    #expect(before.damage.isEmpty)
    let damage = try #require(after.damage.first)
    #expect(damage.kind == .truncated)
    #expect(damage.byteOffset.map { $0 > 0 && $0 < bytes.count } == true)
    let lost = try #require(before.durations.presented).length
      .subtracting(#require(after.durations.presented).length)
    #expect(lost.isPositive)
    // Ogg's last page, with many packets, is lost completely; frames of two codecs last a second.
    #expect(lost < MediaDuration(1, 4) || ["ogg", "wv", "tta"].contains(ending))
    let decoded = try #require(try probe(cut, .frames).durations.decoded)
    let presented = try #require(after.durations.presented)
    #expect(try decoded.length.subtracting(presented.length).magnitude <= MediaDuration(1, 20))
  }

  /// RFC 4867, 5: a file header, then frames that state their type, which gives their size.
  @Test(arguments: [("#!AMR\n", 0x3C, 32), ("#!AMR-WB\n", 0x44, 61)] as [(String, UInt8, Int)])
  func `then it is the same for AMR, which no encoder here writes`(
    _ magic: String, _ type: UInt8, _ count: Int
  ) throws {
    let folder = try ScratchFolder()
    let frame = [type] + [UInt8](repeating: 0x55, count: count - 1)
    let frames = Array(repeatElement(frame, count: 101).joined())
    let cut = try folder.write(Array(magic.utf8) + frames.dropLast(12), to: "cut.amr")
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try probe(cut, depth)
      #expect(facts.damage.map(\.kind) == [.truncated])
      #expect(facts.durations.presented?.length == MediaDuration(2))
      #expect(facts.notes.contains { $0.id == .lastFrameCutShort })
    }
  }
}
