import ExactTime
import Support
import Testing
import Trimming

@testable import Bitstreams

/// POC type 1 derives the order from frame numbers (ITU-T H.264, 8.2.1.2): no encoder at hand
/// writes it, but a stream without reordering has it when its SPS is changed.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given H.264 with POC type 1` {
  private typealias Cuts = `Given a file made by an encoder`

  /// The SPS with type 1 in place of type 2: each reference picture's POC is two more than the last.
  private static func changed(_ unit: [UInt8]) throws -> [UInt8] {
    let payload = NALEscaping.unescaped(unit.dropFirst())
    var bits = payload.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    var reader = BitReader(payload)
    reader.skip(24)
    _ = reader.exponentialGolomb()
    _ = reader.exponentialGolomb()
    let start = reader.position
    try #require(reader.exponentialGolomb() == 2)
    let last = try #require(bits.lastIndex(of: 1))
    // Type 1; deltas always zero; offsets 0 and 0; a cycle of one picture; 2.
    let type: [UInt8] = [0, 1, 0] + [1] + [1] + [1] + [0, 1, 0] + [0, 0, 1, 0, 0]
    bits = bits[..<start] + type + bits[reader.position...last]
    while bits.count % 8 != 0 { bits.append(0) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { place in
      bits[place..<place + 8].reduce(0) { $0 << 1 | $1 }
    }
    return [unit[0]] + NALEscaping.escaped(bytes)
  }

  private static func clip(in folder: ScratchFolder) async throws -> (String, [ArraySlice<UInt8>]) {
    var clip = EncodedClip.named("H.264, Baseline")
    clip.ending = "h264"
    let raw = try await clip.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(raw)
    var bytes: [UInt8] = []
    for unit in NALUnits(bytes: try fileBytes(raw)[...], framing: .annexB) {
      let isSet = (unit.first ?? 0) & 0x1F == 7
      bytes += [0, 0, 0, 1] + (isSet ? try changed(Array(unit)) : Array(unit))
    }
    let changed = folder.path(of: "type1.h264")
    try SampleRewriting.write(bytes, to: changed)
    let path = folder.path(of: "type1.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-r", "25", "-i", changed, "-c", "copy", path,
    ])
    return (path, source)
  }

  @Test(arguments: ["mp4", "ts"])
  func `when a part is cut then its edges join with the copied pictures`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, source) = try await Self.clip(in: folder)
    for frames in [17..<50, 24..<31, 5..<95] {
      let output = folder.path(of: "cut." + ending)
      let report = try Cuts.cut(path, frames, to: output, as: ending)
      #expect(report.plan.encodedFrames < frames.count, "\(frames)")
      let (pictures, log) = try await EncodedClip.pictures(output)
      #expect(log.isEmpty, "\(frames): \(log)")
      #expect(pictures.count == frames.count, "\(frames)")
      for (picture, place) in zip(pictures, frames) {
        #expect(Cuts.error(picture, source[place]) < Cuts.tolerated, "frame \(place) of \(frames)")
      }
    }
  }
}
