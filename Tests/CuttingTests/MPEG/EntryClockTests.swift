import ExactTime
import Support
import Synchronization
import Testing
import Trimming

@testable import Cutting
@testable import Libav

@Suite struct `Given a cut into a transport stream` {
  private func cut() throws -> [UInt8] {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let output = folder.path(of: "cut.ts")
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path("broadcast.ts").utf8)))
    let range = try MediaTimeRange(from: MediaTime(1), length: MediaDuration(3, 2))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .mpegts)
    return try fileBytes(output)
  }

  @Test func `then players that resume at a clock reference find the whole keyframe`() throws {
    let packets = Packet.all(of: try cut())
    let entries = packets.indices.filter { packets[$0].isEntryOfPictures }
    try #require(!entries.isEmpty)
    for place in entries {
      #expect(!packets[place].hasClock)
      for before in [place - 2, place - 1] {
        #expect(packets[before].hasClock && !packets[before].hasPayload)
        #expect(packets[before].pid == packets[place].pid)
      }
    }
  }

  @Test func `then packets without a payload are not counted`() throws {
    var numbers: [Int: UInt8] = [:]
    for packet in Packet.all(of: try cut()) where packet.pid != 0x1FFF {
      if let before = numbers[packet.pid] {
        #expect(packet.number == (packet.hasPayload ? (before + 1) & 0x0F : before))
      }
      numbers[packet.pid] = packet.number
    }
  }

  /// A PES packet has one timestamp for all that it holds, and there may be a gap between any two frames.
  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
  func `then each small packet of AAC has its own timestamp`() async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.mka"), folder.path(of: "cut.ts"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.1", "-c:a", "aac",
      "-b:a", "24k", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try MediaTimeRange(from: MediaTime(1), length: MediaDuration(1))
    let report = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .mpegts)
    let count = Packet.all(of: try fileBytes(output)).count(where: \.isStartOfSound)
    #expect(count == report.plan.tracks.first?.segments.first?.packets)
  }

  @Test(arguments: [1, 187, 188, 189, 4096])
  func `when it is written in chunks of any size then it is the same`(size: Int) throws {
    let made = try cut()
    let whole = Kept()
    try write(made, in: made.count, to: whole)
    let kept = Kept()
    try write(made, in: size, to: kept)
    #expect(kept.bytes == whole.bytes)
  }

  private func write(_ bytes: [UInt8], in size: Int, to kept: Kept) throws {
    let entries = EntryClocks(kept)
    for start in stride(from: 0, to: bytes.count, by: size) {
      try bytes[start..<min(bytes.count, start + size)].withUnsafeBytes {
        try entries.write($0, at: Int64(start))
      }
    }
  }
}

private final class Kept: CorrectedOutput {
  private let all = Mutex<[UInt8]>([])
  var bytes: [UInt8] { all.withLock { $0 } }

  func finish() {}

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    all.withLock { all in
      #expect(Int64(all.count) == position)
      all += bytes
    }
  }
}

/// A packet of ISO/IEC 13818-1, 2.4.3.2.
private struct Packet {
  let bytes: [UInt8]

  static func all(of stream: [UInt8]) -> [Packet] {
    stride(from: 0, to: stream.count, by: 188).map {
      Packet(bytes: Array(stream[$0..<min(stream.count, $0 + 188)]))
    }
  }

  var pid: Int { Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]) }
  var number: UInt8 { bytes[3] & 0x0F }
  var hasPayload: Bool { bytes[3] & 0x10 != 0 }
  var hasClock: Bool { flags & 0x10 != 0 }

  /// Where a PES packet of pictures (stream_id 0xE0…0xEF) begins at which a decoder may start.
  var isEntryOfPictures: Bool { flags & 0x40 != 0 && streamID.map { $0 & 0xF0 == 0xE0 } == true }

  /// Where a PES packet of sound (stream_id 0xC0…0xDF) begins.
  var isStartOfSound: Bool { streamID.map { $0 & 0xE0 == 0xC0 } == true }

  /// Of the PES packet that begins here.
  private var streamID: UInt8? {
    let start = bytes[3] & 0x20 != 0 ? 5 + Int(bytes[4]) : 4
    guard bytes[1] & 0x40 != 0, start + 3 < bytes.count,
      bytes[start..<start + 3].elementsEqual([0, 0, 1])
    else { return nil }
    return bytes[start + 3]
  }

  private var flags: UInt8 { bytes[3] & 0x20 != 0 && bytes[4] > 0 ? bytes[5] : 0 }
}
