import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

/// A decoder reads a truncated slice on into whatever follows it in memory: start codes differ from
/// lengths, so it may report an error in only one of the two framings.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given H.264 in MP4 whose slices end too early` {
  /// The last picture of each GOP loses one to eight bytes of its slice: a filler data unit
  /// replaces them.
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "whole.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=8", "-c:v", "libx264",
      "-g", "25", "-bf", "2", path,
    ])
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    let packets = source.tracks[0].coded.packets
    try source.prepare([0: [packets.indices]])
    var bytes = try fileBytes(path)
    for (place, packet) in packets.enumerated() where place % 25 == 24 && !packet.isKey {
      let sample = try source.bytes(ofTrack: 0, place)
      let start = try #require(bytes.firstRange(of: sample)).lowerBound
      let end = start + sample.count
      let lost = 1 + (place / 25 + 1) % 8
      let length = end - start - 4 - lost - 6
      // A single unit, as x264 writes all but its first picture.
      let stated = sample[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard stated == end - start - 4, length > 20 else { continue }
      bytes.replaceSubrange(start..<start + 4, with: Self.number(length))
      let filler = Self.number(lost + 2) + [12] + [UInt8](repeating: 0xFF, count: lost) + [0x80]
      bytes.replaceSubrange(start + 4 + length..<end, with: filler)
    }
    return try folder.write(bytes, to: "clip.mp4")
  }

  typealias Case = (String, CutMode, Int64)

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Up to the end, and up to the middle of a GOP, where the encoded frames have their own parameter set.
  @Test(arguments: [("ts", .copy, 200), ("mkv", .copy, 200), ("ts", .smart, 190)] as [Case])
  func `when it is copied then the damage is reported and trim is not blamed`(
    _ ending: String, _ mode: CutMode, _ frames: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(frames, 25)))
    let cutter = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(range: range, verification: .full)
    request.mode = mode
    let report = try cutter.cut(
      CutOrder(request, to: Array(folder.path(of: "cut." + ending).utf8)))
    #expect(report.examination?.damage.isEmpty == false)
  }
}
