import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

/// Times in FLV have a sign (Video File Format Specification 10.1, E.4.1, TimestampExtended).
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given an FLV` {
  private func make(in folder: ScratchFolder) async throws -> [UInt8] {
    let path = folder.path(of: "film.flv")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2", "-f", "lavfi", "-i",
      "anoisesrc=r=44100:d=2:seed=3", "-c:v", "libx264", "-bf", "0", "-c:a", "aac", path,
    ])
    return try fileBytes(path)
  }

  /// Places of the tags of one kind.
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

  @Test func `when its first sound has a time below zero then it begins there`() async throws {
    let folder = try ScratchFolder()
    var bytes = try await make(in: folder)
    // The first is the configuration; -23 ms.
    let sound = tags(8, in: bytes)[1]
    bytes.replaceSubrange(sound + 4..<sound + 8, with: [0xFF, 0xFF, 0xE9, 0xFF])
    let presented = try #require(try probe(bytes, in: folder).durations.presented)
    #expect(presented.start == MediaTime(-23, 1000))
    #expect(presented.length < MediaDuration(21, 10))
  }

  @Test func `when its metadata state no duration then none is declared`() async throws {
    let folder = try ScratchFolder()
    var bytes = try await make(in: folder)
    #expect(try probe(bytes, in: folder).durations.declared != nil)
    let name = try #require(bytes.firstRange(of: Array("duration".utf8))).lowerBound
    bytes.replaceSubrange(name..<name + 8, with: Array("dirations".utf8.prefix(8)))
    #expect(try probe(bytes, in: folder).durations.declared == nil)
  }
}

/// What a decoder adds at the start is not heard (RFC 9559, 5.1.4.1.25 CodecDelay).
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC in Matroska with a codec delay` {
  @Test func `then its first 1024 samples are not heard`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mka")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3", "-c:a", "aac",
      "-metadata:s:a", "language=eng", path,
    ])
    var bytes = try fileBytes(path)
    let before = try Prober().probe(.file(path: Array(path.utf8)))
    // In place of the language, which is as long: 1024 samples of 48 kHz, in nanoseconds.
    let place = try #require(bytes.firstRange(of: [0x22, 0xB5, 0x9C, 0x83])).lowerBound
    bytes.replaceSubrange(place..<place + 7, with: [0x56, 0xAA, 0x84, 0x01, 0x45, 0x85, 0x55])
    let changed = try folder.write(bytes, to: "delayed.mka")
    let facts = try Prober().probe(.file(path: Array(changed.utf8)))
    #expect(facts.tracks.first?.audio?.priming == 1024)
    let presented = try #require(facts.durations.presented)
    let length = try #require(before.durations.presented?.length)
    #expect(presented.start == .zero)
    #expect(try presented.length == length.subtracting(MediaDuration(1024, 48_000)))
  }
}
