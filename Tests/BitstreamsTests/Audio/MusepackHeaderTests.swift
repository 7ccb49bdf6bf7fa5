import Bitstreams
import Testing

@Suite struct `Given the header of a Musepack file` {
  private static func words(_ values: UInt32...) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  @Test func `when it is SV7 then the last frame's samples are counted if they are exact`() throws {
    let start = Array("MP+\u{07}".utf8) + Self.words(3, 0, 0, 0)
    let exact = try #require(MusepackHeader(start + Self.words(1 << 31 | 413 << 20)))
    #expect(exact.sampleCount == 2 * 1152 + 413)
    #expect((exact.priming, exact.frameCount, exact.framesPerPacket) == (481, 3, 1))
    let rounded = try #require(MusepackHeader(start + Self.words(413 << 20)))
    #expect(rounded.sampleCount == 3 * 1152 - 481)
  }

  @Test func `when it is SV8 then the samples are those that it states`() throws {
    // 44,100 samples after none of silence; 64 frames in a packet.
    let stream: [UInt8] = [0, 0, 0, 0, 8, 0x82, 0xD8, 0x44, 0, 0x09, 0x0B]
    let head = Array("MPCK".utf8) + Array("SH".utf8) + [UInt8(stream.count + 3)] + stream
    let header = try #require(MusepackHeader(head))
    #expect(header.sampleCount == 44_100)
    #expect((header.priming, header.frameCount, header.framesPerPacket) == (481, 39, 64))
  }

  @Test(arguments: [
    "", "MPCK", "MPCKSH", "MPCKSH\u{03}", "MPCKRG\u{00}", "MPCKSH\u{0E}aaaa\u{08}", "MP+\u{07}",
    "MP+\u{05}abcd",
  ])
  func `when it is cut off or of another version then it states nothing`(_ text: String) {
    #expect(MusepackHeader(Array(text.utf8)) == nil)
  }
}
