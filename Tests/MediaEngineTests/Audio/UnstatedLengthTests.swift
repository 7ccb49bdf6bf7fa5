import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Sound whose header leaves its length open, as when written to a pipe: it ends with the file.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given audio whose header does not state its length` {
  /// One second at 44.1 kHz, whose length is then removed from the header.
  private func file(_ ending: String, _ words: [String], bytes behind: Int = 0) async throws
    -> [UInt8]
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound." + ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=1:r=44100", "-bitexact"] + words + [path])
    var bytes = try fileBytes(path)
    // The name of the chunk, then its size: four bytes in WAV, eight in CAF.
    let place = try #require(bytes.ranges(of: Array("data".utf8)).first).upperBound
    let size = ending == "caf" ? 8 : 4
    bytes.replaceSubrange(place..<place + size, with: [UInt8](repeating: 0xFF, count: size))
    if ending == "wav" { bytes.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF]) }
    return bytes + [UInt8](repeating: 0, count: behind)
  }

  private func probe(_ bytes: [UInt8], _ depth: RequestedDepth) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "sound")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  private static let forms = [
    ("wav", ["-c:a", "pcm_s16le"]), ("caf", ["-c:a", "pcm_s16be"]),
    ("wav", ["-c:a", "pcm_s24le", "-ac", "2"]),
  ]

  @Test(arguments: forms, [RequestedDepth.packets, .frames])
  func `then it is complete, and each of its samples is counted`(
    _ form: (ending: String, words: [String]), _ depth: RequestedDepth
  ) async throws {
    let facts = try probe(try await file(form.ending, form.words), depth)
    #expect(facts.damage.isEmpty)
    #expect(facts.durations.presented?.length == MediaDuration(1))
    if depth == .frames { #expect(facts.durations.decoded?.length == MediaDuration(1)) }
  }

  /// SoX states 0x7FFFF000 bytes of sound there, and adds the header for the file size.
  @Test func `when its header has SoX's unknown length then it is complete`() async throws {
    var bytes = try await file("wav", ["-c:a", "pcm_s16le"])
    let place = try #require(bytes.ranges(of: Array("data".utf8)).first).upperBound
    bytes.replaceSubrange(place..<place + 4, with: [0, 0xF0, 0xFF, 0x7F])
    bytes.replaceSubrange(4..<8, with: [36, 0xF0, 0xFF, 0x7F])
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try probe(bytes, depth)
      #expect(facts.damage.isEmpty)
      #expect(facts.durations.presented?.length == MediaDuration(1))
    }
  }

  @Test(arguments: forms)
  func `when it ends with a partial sample then the whole ones before it are counted`(
    _ ending: String, _ words: [String]
  ) async throws {
    let facts = try probe(try await file(ending, words, bytes: 1), .frames)
    #expect(facts.damage.isEmpty)
    #expect(facts.durations.presented?.length == MediaDuration(1))
    #expect(facts.durations.decoded?.length == MediaDuration(1))
  }

  @Test func `when its size is zero then all that the file holds counts`() async throws {
    var bytes = try await file("wav", ["-c:a", "pcm_s16le"])
    let place = try #require(bytes.ranges(of: Array("data".utf8)).first).upperBound
    bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0])
    bytes.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    let facts = try probe(bytes, .packets)
    #expect(facts.damage.isEmpty)
    #expect(facts.durations.presented?.length == MediaDuration(1))
  }

  @Test func `when it is coded in frames then complete frames are counted`() async throws {
    let facts = try probe(
      try await file("wav", ["-c:a", "libmp3lame", "-write_xing", "0"]), .packets)
    #expect(facts.damage.isEmpty)
  }

  @Test func `when it is cut then no damage is reported`() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(try await file("wav", ["-c:a", "pcm_s16le"]), to: "sound.wav")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(1)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range), to: Array(folder.path(of: "cut.wav").utf8), as: .wav)
    #expect(report.examination?.damage.isEmpty != false)
  }
}
