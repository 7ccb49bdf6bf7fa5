import Bitstreams
import Support
import Testing

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given slices of HEVC with POC values` {
  private static func packets(
    _ name: String
  ) async throws -> (counts: HEVCOrderCounts, packets: [[ArraySlice<UInt8>]]) {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named(name).make(in: folder)
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    let track = source.tracks[0]
    var counts = HEVCOrderCounts()
    counts.add(HEVCSets(configuration: track.configuration))
    try source.prepare([0: [track.coded.packets.indices]])
    let packets = try track.coded.packets.indices.map { place in
      let bytes = try source.bytes(ofTrack: 0, place)
      return Array(NALUnits(bytes: bytes[...], framing: track.framing))
        .filter(HEVCOrderCounts.isSlice)
    }
    return (counts, packets)
  }

  @Test(arguments: ["HEVC, open groups", "HEVC, slices"])
  func `when these are shifted then nothing else changes`(_ name: String) async throws {
    let (counts, packets) = try await Self.packets(name)
    for slices in packets {
      for slice in slices {
        let count = try #require(counts.count(of: slice))
        let moved = try #require(counts.moved(slice, by: 5))
        let isInstant = HEVCSliceHeader.instantTypes.contains(HEVCSets.type(of: slice))
        #expect(counts.count(of: moved[...]) == (isInstant ? 0 : (count + 5) & 0xFF))
        #expect(counts.moved(moved[...], by: 251) == Array(slice))
      }
    }
  }

  @Test func `when a POC is still held then the next free one is taken`() async throws {
    let (counts, packets) = try await Self.packets("HEVC, open groups")
    let slice = try #require(packets[12].first)
    let count = try #require(counts.count(of: slice))
    #expect(count > 0)
    #expect(counts.shift(slice, awayFrom: []) == 0)
    #expect(counts.shift(slice, awayFrom: [count - 1, count + 1]) == 0)
    #expect(counts.shift(slice, awayFrom: [count, count + 1, count + 3]) == 2)
    #expect(counts.shift(slice, awayFrom: Set(0..<256)) == 0)
  }
}
