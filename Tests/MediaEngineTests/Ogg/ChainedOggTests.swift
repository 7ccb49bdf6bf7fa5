import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given Ogg` {
  private func sound(_ words: [String]) async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.ogg")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=2"] + words + ["-serial_offset", "7", path])
    return try fileBytes(path)
  }

  private func probe(_ bytes: [UInt8], _ depth: RequestedDepth = .auto) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "sound.ogg")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test(
    arguments: [
      ("two rates", ["-c:a", "libvorbis", "-ar", "22050"]), ("Opus", ["-c:a", "libopus"]),
      ("FLAC", ["-c:a", "flac"]),
    ])
  func `then links that differ are presented one after another, and decoded that way`(
    _ name: String, _ words: [String]
  ) async throws {
    let first = try await sound(["-c:a", "libvorbis", "-ar", "44100"])
    let second = try await sound(words)
    let chain = try probe(first + second, .frames)
    let lengths = try [first, second].map {
      try #require(probe($0, .frames).durations.presented).length
    }
    #expect(chain.durations.presented?.length == lengths[0] + lengths[1])
    let decoded = try #require(chain.durations.decoded)
    #expect(
      try decoded.length.subtracting(lengths[0] + lengths[1]).magnitude < MediaDuration(1, 20))
    #expect(chain.notes.contains { $0.id == .chainedStreamsDiffer })
    #expect(chain.damage.isEmpty)
  }

  @Test func `then links that are alike are one stream, and nothing is reported`() async throws {
    let one = try await sound(["-c:a", "libvorbis"])
    let length = try #require(try probe(one).durations.presented).length
    let chain = try probe(one + one)
    #expect(chain.durations.presented?.length == length + length)
    #expect(!chain.notes.contains { $0.id == .chainedStreamsDiffer })
  }

  @Test func `then several streams that start over are presented one after another`() async throws {
    let folder = try ScratchFolder()
    var clips: [[UInt8]] = []
    for serial in [3, 90] {
      let path = folder.path(of: "clip\(serial).ogv")
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-f", "lavfi", "-i",
        "sine=d=1:r=48000", "-c:v", "libtheora", "-c:a", "libvorbis", "-serial_offset",
        "\(serial)", path,
      ])
      clips.append(try fileBytes(path))
    }
    for depth in [RequestedDepth.packets, .frames] {
      let chain = try probe(clips[0] + clips[1], depth)
      #expect(chain.durations.presented?.length == MediaDuration(2))
      #expect(chain.tracks.map(\.kind) == [.video, .audio])
      let counts = try clips.map { try probe($0, depth).tracks[0].frameCount ?? 0 }
      #expect(chain.tracks[0].frameCount == counts[0] + counts[1])
      #expect(chain.damage.isEmpty)
      #expect(chain.notes.contains { $0.id == .timestampDiscontinuity })
      #expect(!chain.notes.contains { $0.id == .chainedStreamsDiffer })
      if depth == .frames { #expect(chain.durations.decoded?.length == MediaDuration(2)) }
    }
  }

  @Test func `then an end beyond 32 bits adds nothing to the decoded Vorbis`() async throws {
    var bytes = try await sound(["-c:a", "libvorbis", "-ar", "8000", "-page_duration", "9000000"])
    let whole = try #require(try probe(bytes).durations.presented).length
    // The position of the last page, 64 bits after the flags (RFC 3533, 6).
    let page = try #require(bytes.lastRange(of: Array("OggS".utf8))).lowerBound
    bytes[page + 10] = 1
    bytes.replaceSubrange(page + 22..<page + 26, with: OggChecksum.bytes(of: bytes[page...]))
    let facts = try probe(bytes)
    let length = try #require(facts.durations.presented).length
    #expect(length >= whole)
    #expect(length < whole + MediaDuration(1024, 8000))
  }

  @Test func `when Opus has no channels then it is refused for that reason`() async throws {
    var bytes = try await sound(["-c:a", "libopus"])
    // The header is alone on the first page; the second page begins after its nineteen bytes.
    let start = try #require(bytes.ranges(of: Array("OpusHead".utf8)).first).lowerBound
    bytes[start + 9] = 0
    bytes.replaceSubrange(22..<26, with: OggChecksum.bytes(of: bytes[..<(start + 19)]))
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "sound.ogg")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(1)))
    let error = #expect(throws: MediaError.self) {
      try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutRequest(range: range), to: Array(folder.path(of: "cut.mka").utf8), as: .matroska)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("channel layout") == true)
  }

  /// Noise on a single page, whose position is increased by a number of samples.
  private func page(movedBy count: Int) async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.ogg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=0.1:seed=3:a=0.4", "-c:a",
      "libvorbis", "-page_duration", "9000000", path,
    ])
    var bytes = try fileBytes(path)
    let start = try #require(bytes.lastRange(of: Array("OggS".utf8))).lowerBound
    for (place, byte) in withUnsafeBytes(of: Int64(4410 + count).littleEndian, Array.init)
      .enumerated()
    {
      bytes[start + 6 + place] = byte
    }
    bytes.replaceSubrange(start + 22..<start + 26, with: OggChecksum.bytes(of: bytes[start...]))
    return bytes
  }

  /// The decoded samples of that page if its position trims nothing.
  private static let decoded = 4480

  @Test(arguments: [-1500, -100, 0, 69, 70, 71, 198, 199, 600])
  func `then Vorbis on a single page ends at its position, but no later than its audio`(
    _ count: Int
  ) async throws {
    let facts = try probe(try await page(movedBy: count), .frames)
    let length = MediaDuration(Int64(min(4410 + count, Self.decoded)), 44100)
    #expect(facts.durations.presented?.length == length)
    #expect(facts.durations.presented?.start == .zero)
  }

  @Test func `then Vorbis on a page that begins later has its full length from there on`()
    async throws
  {
    var bytes = try await sound(["-c:a", "libvorbis"])
    let length = try #require(try probe(bytes).durations.presented).length
    var last: UInt64 = 0
    for page in bytes.ranges(of: Array("OggS".utf8)).map(\.lowerBound) {
      let position = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[page + 6 + $1]) << (8 * $1) }
      guard position > 0, position < UInt64(1) << 40 else { continue }
      last = position + 100_000
      for place in 0..<8 {
        bytes[page + 6 + place] = UInt8(truncatingIfNeeded: (position + 100_000) >> (8 * place))
      }
      let segments = Int(bytes[page + 26])
      let size = bytes[page + 27..<page + 27 + segments].reduce(27 + segments) { $0 + Int($1) }
      bytes.replaceSubrange(
        page + 22..<page + 26, with: OggChecksum.bytes(of: Array(bytes[page..<page + size])[...]))
    }
    let facts = try probe(bytes)
    let presented = try #require(facts.durations.presented)
    // The first packet only primes; FFmpeg takes it for sound where the clock does not begin at zero.
    let more = try presented.length.subtracting(length)
    #expect(more >= .zero && more <= MediaDuration(1024, 44100))
    let start = try #require(presented.start)
    #expect(start + presented.length == MediaTime(Int64(last), 44100))
  }

  @Test(arguments: [0, -1500])
  func `then two links of one page each are as long as both`(_ count: Int) async throws {
    let chain = try await page(movedBy: count) + page(movedBy: 70)
    let length = MediaDuration(Int64(4410 + count + 4480), 44100)
    #expect(try probe(chain).durations.presented?.length == length)
  }

  @Test func `when Vorbis of a single page is cut then it is heard from IN on`() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(try await page(movedBy: 70), to: "page.ogg")
    let output = folder.path(of: "cut.mka")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 20), to: MediaTime(1, 10)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .matroska)
    let begin = try #require(report.plan.tracks[0].source?.start)
    let first = try TickGrid(ticksPerSecond: 44100).tick(of: begin, rounding: .nearest)
    func samples(_ path: String) async throws -> [UInt8] {
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out
    }
    let heard = Array(try await samples(output).prefix(1000))
    let whole = try await samples(path)
    let place = try #require(whole.ranges(of: heard).first?.lowerBound)
    // A millisecond, Matroska's rounding.
    #expect(abs(place / 2 - Int(first)) <= 45)
  }

  @Test func `then an empty packet on a last page without a position trims nothing`()
    async throws
  {
    let bytes = try await sound(["-c:a", "libvorbis"])
    let whole = try #require(try probe(bytes).durations.presented).length
    let start = try #require(bytes.lastRange(of: Array("OggS".utf8))).lowerBound
    // The stream's serial number and the page number follow the position; then come a checksum and
    // the segment lengths.
    var page = Array(bytes[start..<start + 22]) + [0, 0, 0, 0, 1, 0]
    page.replaceSubrange(6..<14, with: Array(repeating: 0xFF, count: 8))
    page[18] += 1
    page.replaceSubrange(22..<26, with: OggChecksum.bytes(of: page[...]))
    var open = bytes
    open[start + 5] &= ~4
    open.replaceSubrange(start + 22..<start + 26, with: OggChecksum.bytes(of: open[start...]))
    let length = try #require(try probe(open + page).durations.presented).length
    // Nothing states any more where the sound ends within its last packet.
    #expect(length >= whole && length < whole + MediaDuration(1024, 44100))
  }
}

/// The checksum of a page: polynomial 0x04C11DB7, without reflection (RFC 3533, 6).
private enum OggChecksum {
  static func bytes(of page: ArraySlice<UInt8>) -> [UInt8] {
    var sum: UInt32 = 0
    for (place, byte) in page.enumerated() {
      sum ^= UInt32((22..<26).contains(place) ? 0 : byte) << 24
      for _ in 0..<8 { sum = sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }
}

extension [UInt8] {
  fileprivate func lastRange(of text: [UInt8]) -> Range<Int>? { ranges(of: text).last }
}
