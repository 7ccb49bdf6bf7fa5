import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

private func big(_ number: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// Apple's recorders write such files; FFmpeg plays what their packet table hides.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given audio in CAF whose packet table states priming and padding` {
  /// AAC of 3 s in 131 packets of 1024 samples, and what its table states.
  private func write(
    samples: Int, priming: Int, padding: Int, in folder: ScratchFolder
  ) async throws -> String {
    let stream = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=3:seed=5:a=0.4", "-c:a", "aac", "-f",
      "adts", "-",
    ]).out
    var packets: [ArraySlice<UInt8>] = []
    var rest = stream[...]
    while rest.count > 7 {
      let header = Array(rest.prefix(7))
      let count = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5]) >> 5
      packets.append(rest.prefix(count).dropFirst(7))
      rest = rest.dropFirst(count)
    }
    try #require(packets.count == 131)
    let table =
      packets.flatMap { [0x80 | UInt8($0.count >> 7), UInt8($0.count & 0x7F)] }
    // ES_Descriptor, DecoderConfigDescriptor, and low complexity, 44,100 Hz, one channel (ISO 14496-1,
    // 7.2.6.5; ISO 14496-3, 1.6.2.1).
    let cookie: [UInt8] =
      [3, 0x80, 0x80, 0x80, 25, 0, 0, 0, 4, 0x80, 0x80, 0x80, 17, 0x40, 0x15]
      + Array(repeating: 0, count: 11) + [5, 2, 0x12, 0x08]
    let bytes: [UInt8] =
      Array("caff".utf8) + [0, 1, 0, 0]
      + Self.chunk(
        "desc",
        big(Int(Double(44_100).bitPattern), 8) + Array("aac ".utf8) + big(0, 8) + big(1024, 4)
          + big(1, 4) + big(0, 4))
      + Self.chunk("kuki", cookie)
      + Self.chunk(
        "pakt",
        big(packets.count, 8) + big(samples, 8) + big(priming, 4) + big(padding, 4) + table)
      + Self.chunk("data", [0, 0, 0, 0] + packets.joined())
    return try folder.write(bytes, to: "sound.caf")
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(bytes.count, 8) + bytes
  }

  private func probe(_ path: String, _ depth: RequestedDepth = .packets) throws -> MediaFacts {
    try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test func `then neither is presented`() async throws {
    let folder = try ScratchFolder()
    let path = try await write(samples: 132_300, priming: 1024, padding: 820, in: folder)
    let facts = try probe(path)
    #expect(facts.durations.presented?.start == MediaTime(1024, 44_100))
    #expect(facts.durations.presented?.length == MediaDuration(3))
    #expect(facts.tracks[0].audio?.priming == 1024)
    #expect(facts.tracks[0].audio?.padding == 820)
    #expect(facts.notes.contains { $0.id == .audioPriming })
  }

  @Test func `then a cut counts from the first sample after the priming`() async throws {
    let folder = try ScratchFolder()
    let path = try await write(samples: 132_300, priming: 1024, padding: 820, in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let cut = folder.path(of: "cut.wav")
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(cut.utf8)))
    func samples(_ path: String) async throws -> [Int16] {
      let bytes = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out
      return stride(from: 0, to: bytes.count - 1, by: 2).map {
        Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
      }
    }
    let heard = try await samples(cut)
    #expect(heard.count == 44_100)
    // FFmpeg plays the priming, too.
    let whole = try await samples(path).dropFirst(1024)
    #expect(zip(heard, whole).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test func `when its sample count is wrong then it is ignored and reported`() async throws {
    let folder = try ScratchFolder()
    let path = try await write(samples: 60_000, priming: 1024, padding: 0, in: folder)
    let facts = try probe(path)
    #expect(facts.durations.presented?.length == MediaDuration(131 * 1024, 44_100))
    let note = facts.notes.first { $0.id == .gaplessTagIgnored }
    #expect(note?.text.contains("packet table") == true)
  }

  /// ALAC's last packet holds only the remaining samples.
  @Test func `when only padding is stated then the last packet is already that short`() async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.caf")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=44100:d=3", "-c:a", "alac", path,
    ])
    var bytes = try fileBytes(path)
    let name = try #require(
      bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual("pakt".utf8) })
    bytes.replaceSubrange(name + 20..<name + 36, with: big(132_300, 8) + big(0, 4) + big(2868, 4))
    let patched = try folder.write(bytes, to: "padded.caf")
    for depth in [RequestedDepth.packets, .frames] {
      #expect(try probe(patched, depth).durations.presented?.length == MediaDuration(3))
    }
  }
}
