import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// QuickTime writes compressed movie headers on request (QuickTime File Format, "Compressed Movie
/// Resources").
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file whose header is compressed` {
  /// The zlib format for incompressible data (RFC 1950, 2.2; RFC 1951, 3.2.4).
  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    var packed: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65535) {
      let block = bytes[start..<min(bytes.count, start + 65535)]
      let (least, most) = (UInt8(truncatingIfNeeded: block.count), UInt8(block.count >> 8))
      packed += [block.endIndex == bytes.count ? 1 : 0, least, most, ~least, ~most] + block
    }
    return packed + BoxBuilder.Field.u32(high << 16 | low).bytes
  }

  /// - Parameter claimed: the uncompressed size stated in the header; `nil` for the actual size.
  private static func clips(
    in folder: ScratchFolder, claiming claimed: Int? = nil
  ) async throws -> (plain: String, compressed: String) {
    let plain = try await EncodedClip.named("H.264, open groups").make(in: folder)
    var bytes = try fileBytes(plain)
    let start = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
    let header = Array(bytes[start...])
    let count = UInt32(claimed ?? header.count)
    bytes[start...] =
      BoxBuilder(
        "moov",
        [
          BoxBuilder(
            "cmov",
            [
              BoxBuilder("dcom", fields: [.text("zlib")]),
              BoxBuilder("cmvd", fields: [.u32(count), .bytes(packed(header))]),
            ])
        ]
      ).bytes[...]
    return (plain, try folder.write(bytes, to: "compressed.mov"))
  }

  @Test(arguments: [RequestedDepth.header, .packets, .frames])
  func `then all of it is reported as if uncompressed`(_ depth: RequestedDepth) async throws {
    let folder = try ScratchFolder()
    let (plain, compressed) = try await Self.clips(in: folder)
    func facts(_ path: String) throws -> MediaFacts {
      try Prober(isCancelled: { false }).probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
    }
    var (expected, found) = (try facts(plain), try facts(compressed))
    #expect(found.byteCount == Int64(try fileBytes(compressed).count))
    expected.byteCount = nil
    found.byteCount = nil
    // It is computed from all bytes.
    expected.container.bitRate = nil
    found.container.bitRate = nil
    #expect(found == expected)
  }

  @Test(arguments: ["mov", "mkv"])
  func `then a cut is the same as if uncompressed, byte for byte`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let (plain, compressed) = try await Self.clips(in: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(2)))
    var parts: [[UInt8]] = []
    for (place, path) in [plain, compressed].enumerated() {
      let output = folder.path(of: "\(place)." + ending)
      _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
      parts.append(try fileBytes(output))
    }
    #expect(parts[0] == parts[1])
  }

  @Test(arguments: [16 << 20, 100, 0])
  func `when it unpacks to another size than stated, or to too much, then it is reported`(
    _ claimed: Int
  ) async throws {
    let folder = try ScratchFolder()
    let (_, path) = try await Self.clips(in: folder, claiming: claimed)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(path.utf8)))
    #expect(facts.tracks.isEmpty)
    #expect(facts.damage.map(\.text).contains { $0.contains("cmov") })
  }
}
