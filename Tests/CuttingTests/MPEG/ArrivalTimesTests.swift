import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite struct `Given a cut into .m2ts` {
  private func cut(as container: OutputContainer, sound: Bool = false) throws -> [UInt8] {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let output = folder.path(of: "cut")
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path("broadcast.ts").utf8)))
    var request = CutRequest(
      range: try MediaTimeRange(from: MediaTime(1), length: MediaDuration(3, 2)))
    if sound { request.tracks = TrackChoice(kinds: [.audio]) }
    _ = try clip.cut(request, to: Array(output.utf8), as: container)
    return try fileBytes(output)
  }

  @Test(arguments: [false, true])
  func `then its packets are those of .ts, each preceded by four bytes`(sound: Bool) throws {
    let packets = Self.packets(of: try cut(as: .m2ts, sound: sound)).map(\.bytes)
    let plain = try cut(as: .mpegts, sound: sound)
    #expect(Array(packets.joined().prefix(plain.count)) == plain)
    #expect(packets.dropFirst(plain.count / 188).allSatisfy { $0[1] == 0x1F && $0[2] == 0xFF })
    // Blu-ray and AVCHD are read in units of 32 packets.
    #expect(packets.count % 32 == 0)
  }

  @Test func `then packets arrive one after another at no more than 48 Mbit/s`() throws {
    let packets = Self.packets(of: try cut(as: .m2ts))
    for (before, packet) in zip(packets, packets.dropFirst()) {
      let distance = (packet.time - before.time + 1 << 30) % (1 << 30)
      #expect((846..<1 << 29).contains(distance))
    }
  }

  /// Also at low frame rates, where packets are far apart.
  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), arguments: [1, 25])
  func `then a packet with a clock reference arrives at that time`(rate: Int) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=\(rate):d=8", "-c:v",
      "libx264",
      "-g", "4", path,
    ])
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(8)))
    let output = folder.path(of: "cut.m2ts")
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let clocks = Self.packets(of: try fileBytes(output)).compactMap { packet in
      packet.clock.map { (clock: $0, time: packet.time) }
    }
    #expect(clocks.count > 8)
    for (clock, time) in clocks {
      // A few adjacent packets at 48 Mbit/s: half a millisecond.
      #expect(abs(clock % (1 << 30) - time) < 13_500)
    }
  }

  @Test(arguments: ["m2ts", "MTS"])
  func `then the extensions that cameras use select this container, too`(ending: String) {
    #expect(OutputContainer(nameEnding: ending) == .m2ts)
  }

  private struct Packet {
    /// In ticks of 27 MHz.
    let time: Int64
    let bytes: [UInt8]

    /// ISO/IEC 13818-1, 2.4.3.5.
    var clock: Int64? {
      guard bytes[3] & 0x20 != 0, bytes[4] >= 7, bytes[5] & 0x10 != 0 else { return nil }
      let field = bytes[6..<12].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      return field >> 15 * 300 + field & 0x1FF
    }
  }

  private static func packets(of stream: [UInt8]) -> [Packet] {
    #expect(stream.count % 192 == 0)
    return stride(from: 0, to: stream.count - 191, by: 192).map { start in
      #expect(stream[start + 4] == 0x47)
      return Packet(
        time: stream[start..<start + 4].reduce(0) { $0 << 8 | Int64($1) } & 0x3FFF_FFFF,
        bytes: Array(stream[start + 4..<start + 192]))
    }
  }
}
