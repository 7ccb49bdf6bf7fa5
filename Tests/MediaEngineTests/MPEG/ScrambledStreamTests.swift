import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// transport_scrambling_control and PES_scrambling_control of ISO/IEC 13818-1 (2.4.3.3 and 2.4.3.7).
@Suite(.timeLimit(.minutes(1)))
struct `Given a transport stream whose video is scrambled` {
  enum Layer: CaseIterable { case packets, laterPackets }

  /// - Returns: the stream, and the PID of its pictures.
  private func scrambled(_ layer: Layer) throws -> (bytes: [UInt8], pid: Int) {
    var bytes = try SampleClips.bytes("broadcast.ts")
    var random = SeededGenerator(seed: 7)
    let clear = try Prober().probe(.file(path: Array(SampleClips.path("broadcast.ts").utf8)))
    let pid = try #require(clear.tracks.first { $0.kind == .video }).id
    for place in stride(from: 0, to: bytes.count, by: 188)
    where Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2]) == pid {
      if layer == .laterPackets, place < bytes.count / 2 { continue }
      let start = place + 4 + (bytes[place + 3] & 0x20 != 0 ? 1 + Int(bytes[place + 4]) : 0)
      bytes[place + 3] |= 0x80
      for index in start..<max(start, place + 188) {
        bytes[index] = UInt8.random(in: 0 ... .max, using: &random)
      }
    }
    return (bytes, pid)
  }

  @Test(arguments: Layer.allCases)
  func `then that is reported, and a cut is refused for that reason`(_ layer: Layer) throws {
    let folder = try ScratchFolder()
    let (bytes, pid) = try scrambled(layer)
    let path = try folder.write(bytes, to: "clip.ts")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let notes = facts.notes.filter { $0.id == .scrambled }
    #expect(notes.map(\.trackID) == [pid])
    #expect(facts.tracks.filter(\.isEncrypted).map(\.id) == [pid])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let error = #expect(throws: MediaError.self) {
      _ = try clip.plan(CutRequest(range: range), for: .matroska)
    }
    #expect(error?.message.contains("encrypted") == true)
  }
}
