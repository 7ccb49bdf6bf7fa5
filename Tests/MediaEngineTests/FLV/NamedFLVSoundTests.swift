import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given FLV with audio identified by FourCC` {
  private func probe(_ bytes: [UInt8]) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.flv")
    return try Prober().probe(.file(path: Array(path.utf8)))
  }

  /// OpusHead (RFC 7845, 5.1), with a pre-skip of 312; then packets of 20 ms (RFC 6716, 3.1).
  private static let opus =
    [
      FLVBuilder.tag(
        8, at: 0,
        FLVBuilder.sound(
          "Opus", 0, Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]))
    ]
    + (0..<50).map {
      FLVBuilder.tag(8, at: $0 * 20, FLVBuilder.sound("Opus", 1, [0xFC, UInt8($0), 1, 2]))
    }

  @Test func `then Opus has its rate, and its pre-skip is not presented`() throws {
    let facts = try probe(FLVBuilder.file(Self.opus))
    let track = try #require(facts.tracks.first)
    #expect(facts.tracks.count == 1)
    #expect(track.codec == "opus")
    #expect(track.codecTag == "Opus")
    #expect(track.audio?.sampleRate == 48_000)
    #expect(track.audio?.channels == 2)
    #expect(track.sampleCount == 50)
    #expect(facts.durations.presented?.length == MediaDuration(48_000 - 312, 48_000))
    #expect(facts.notes.contains { $0.id == .soundByName })
  }

  @Test(
    arguments: [("ac-3", "ac3", 8, 0x40), ("ec-3", "eac3", 16, 0x05)]
      as [(String, Codec, UInt8, UInt8)])
  func `then Dolby audio has what its frames state`(
    _ name: String, _ codec: Codec, _ version: UInt8, _ mode: UInt8
  ) throws {
    // 128 bytes, 48 kHz stereo (ETSI TS 102 366, 4.3 and E.1.2).
    let head: [UInt8] =
      codec == "ac3"
      ? [0x0B, 0x77, 0, 0, 0, version << 3, mode] : [0x0B, 0x77, 0, 63, 0x34, version << 3, mode]
    let frame = head + [UInt8](repeating: 0, count: 128 - head.count)
    let tags = (0..<10).map {
      FLVBuilder.tag(8, at: $0 * 32, FLVBuilder.sound(name, 1, frame))
    }
    let facts = try probe(FLVBuilder.file(tags))
    let track = try #require(facts.tracks.first)
    #expect(track.codec == codec)
    #expect(track.audio?.sampleRate == 48_000)
    #expect(track.audio?.channels == 2)
    #expect(facts.durations.presented?.length == MediaDuration(8, 25))
  }

  @Test func `then a modifier before the FourCC is skipped`() throws {
    // ModEx with three bytes, a delay in nanoseconds.
    let tags = (0..<50).map {
      FLVBuilder.tag(8, at: $0 * 20, [0x97, 2, 0, 0, 1, 0x01] + Array("Opus".utf8) + [0xFC, 1])
    }
    #expect(try probe(FLVBuilder.file(tags)).tracks.first?.codec == "opus")
  }

  @Test func `when the FourCC is not known then it is reported`() throws {
    let tags = (0..<50).map {
      FLVBuilder.tag(8, at: $0 * 20, FLVBuilder.sound("zzzz", 1, [1, 2, 3]))
    }
    let facts = try probe(FLVBuilder.file(tags))
    #expect(facts.tracks.first?.codecTag == "zzzz")
    #expect(facts.notes.contains { $0.id == .soundByName && $0.text.contains("zzzz") })
  }

  @Test func `when it is cut then the refusal blames FFmpeg's support`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(FLVBuilder.file(Self.opus), to: "clip.flv")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1, 2)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range), for: .matroska)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("FFmpeg does not support opus") == true)
  }

  @Test func `when another FLV follows it then the first is presented, and that is reported`()
    throws
  {
    // MP3 as Flash defined it, which FFmpeg reads: 417 bytes at 44.1 kHz and 128 kbit/s.
    let frame = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 413)
    let file = FLVBuilder.file((0..<40).map { FLVBuilder.tag(8, at: $0 * 26, [0x2E] + frame) })
    let alone = try probe(file)
    #expect(!alone.notes.contains { $0.id == .secondFile })
    let facts = try probe(file + file)
    #expect(facts.durations.presented?.length == alone.durations.presented?.length)
    #expect(facts.tracks.first?.sampleCount == 40)
    #expect(
      facts.notes.contains { $0.id == .secondFile && $0.text.contains("byte \(file.count)") })
  }
}
