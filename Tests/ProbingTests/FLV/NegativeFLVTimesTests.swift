import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Times in FLV have a sign (Video File Format Specification 10.1, E.4.1, TimestampExtended).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an FLV` {
  private func make(in folder: ScratchFolder) async throws -> [UInt8] {
    let path = folder.path(of: "clip.flv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2", "-f", "lavfi", "-i",
      "anoisesrc=r=44100:d=2:seed=3", "-c:v", "libx264", "-bf", "0", "-c:a", "aac", path,
    ])
    return try fileBytes(path)
  }

  /// Offsets of the tags of one type.
  private func tags(_ kind: UInt8, in bytes: [UInt8]) -> [Int] {
    var (place, found) = (13, [Int]())
    while place + 11 < bytes.count {
      if bytes[place] == kind { found.append(place) }
      place +=
        15 + (Int(bytes[place + 1]) << 16 | Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
    }
    return found
  }

  private func probe(_ bytes: [UInt8], in folder: ScratchFolder) throws -> MediaFacts {
    try Prober().probe(.file(path: Array(try folder.write(bytes, to: "changed.flv").utf8)))
  }

  @Test func `when its first audio has a negative time then it begins there`() async throws {
    let folder = try ScratchFolder()
    var bytes = try await make(in: folder)
    // The first is the configuration; -23 ms.
    let sound = tags(8, in: bytes)[1]
    bytes.replaceSubrange(sound + 4..<sound + 8, with: [0xFF, 0xFF, 0xE9, 0xFF])
    let presented = try #require(try probe(bytes, in: folder).durations.presented)
    #expect(presented.start == MediaTime(-23, 1000))
    #expect(presented.length < MediaDuration(21, 10))
  }

  @Test func `when its metadata states no duration then none is declared`() async throws {
    let folder = try ScratchFolder()
    var bytes = try await make(in: folder)
    #expect(try probe(bytes, in: folder).durations.declared != nil)
    let name = try #require(bytes.firstRange(of: Array("duration".utf8))).lowerBound
    bytes.replaceSubrange(name..<name + 8, with: Array("dirations".utf8.prefix(8)))
    #expect(try probe(bytes, in: folder).durations.declared == nil)
  }
}
