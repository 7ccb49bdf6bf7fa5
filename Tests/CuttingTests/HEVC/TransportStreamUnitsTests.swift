import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given HEVC that is cut out of a transport stream into another` {
  private static let clip = EncodedClip.named("HEVC, open groups in a transport stream")

  /// What each PES packet of the video holds (ISO/IEC 13818-1, 2.4.3).
  private static func payloads(_ bytes: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var video: Int?
    for start in stride(from: 0, to: bytes.count - 187, by: 188) {
      let packet = bytes[start..<start + 188]
      let isFirst = packet[start + 1] & 0x40 != 0
      let number = Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2])
      let control = packet[start + 3] >> 4 & 3
      guard control & 1 != 0 else { continue }
      var payload = packet.dropFirst(4)
      if control == 3 { payload = payload.dropFirst(1 + Int(packet[start + 4])) }
      if isFirst, video == nil, payload.starts(with: [0, 0, 1, 0xE0]) { video = number }
      guard number == video else { continue }
      if isFirst {
        found.append(Array(payload.dropFirst(9 + Int(payload[payload.startIndex + 8]))))
      } else if !found.isEmpty {
        found[found.count - 1] += payload
      }
    }
    return found
  }

  /// If a unit's zero byte ends the previous packet, GStreamer assigns the unit to that packet.
  @Test(arguments: [0, 12, 17] as [Int64])
  func `then each packet begins with a unit's zero byte, and no packet ends with one`(
    _ first: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip.make(in: folder)
    let output = folder.path(of: "cut.ts")
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(first, 25), to: MediaTime(70, 25)))
    _ = try source.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .mpegts)
    let payloads = Self.payloads(try fileBytes(output))
    #expect(payloads.count == Int(70 - first))
    #expect(payloads.allSatisfy { $0.starts(with: [0, 0, 0, 1]) })
    #expect(payloads.allSatisfy { $0.last != 0 })
  }
}
