import ExactTime
import Support

@testable import Bitstreams
@testable import Cutting

/// A TV recording: pictures, and packets made for a test.
enum TransportClip {
  enum Kind: UInt8 {
    /// Descriptors that identify the content of PID 0x101 (ETSI EN 300 468, 6.2.43 and 6.2.42).
    case teletext = 0x56
    case subtitles = 0x59
  }

  /// FFmpeg writes packets from its own encoder, which are then replaced.
  ///
  /// - Parameter packets: the contents of the PES packets, and milliseconds from the first picture on.
  static func make(
    in folder: ScratchFolder, _ kind: Kind, _ packets: [(payload: [UInt8], at: Int)]
  ) async throws -> String {
    try folder.write(subtitle, to: "a.sup")
    let path = folder.path(of: "clip.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await EncodedClip.named("H.264, open groups").make(in: folder), "-i",
      folder.path(of: "a.sup"), "-map", "0", "-map", "1", "-c:v", "copy", "-c:s", "dvbsub",
      "-metadata:s:s", "language=deu", path,
    ])
    var others: [UInt8] = []
    let bytes = try fileBytes(path)
    for start in stride(from: 0, to: bytes.count, by: 188) {
      var packet = Array(bytes[start..<start + 188])
      switch Int(packet[1] & 0x1F) << 8 + Int(packet[2]) {
      case 0x101: continue
      case 0x1000 where kind == .teletext: announceTeletext(&packet)
      default: break
      }
      others += packet
    }
    try folder.write(others, to: "clip.ts")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let zero = try TickGrid(ticksPerSecond: 90_000).tick(of: clip.source.zero, rounding: .nearest)
    let made = packets.enumerated().flatMap { number, packet in
      Self.packet(packet.payload, kind, at: Int(zero) + packet.at * 90, number: UInt8(number))
    }
    let head = 3 * 188
    try folder.write(others.prefix(head) + made + others.dropFirst(head), to: "clip.ts")
    return path
  }

  /// A Blu-ray subtitle with a picture of eight pixels.
  private static let subtitle: [UInt8] = {
    func segment(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
      Array("PG".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, type, 0, UInt8(payload.count)] + payload
    }
    let picture: [UInt8] = [0, 0, 0, 0xC0, 0, 0, 14, 0, 8, 0, 1] + [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
    return segment(
      0x16, [1, 0x40, 0, 0xC0, 0x10, 0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 20, 0, 20])
      + segment(0x17, [1, 0, 0, 20, 0, 20, 0, 8, 0, 1])
      + segment(0x14, [0, 0, 1, 200, 128, 128, 255]) + segment(0x15, picture) + segment(0x80, [])
  }()

  /// A PES packet in a transport packet.
  private static func packet(
    _ payload: [UInt8], _ kind: Kind, at pts: Int, number: UInt8
  ) -> [UInt8] {
    let time: [UInt8] = [
      0x21 | UInt8(truncatingIfNeeded: pts >> 29) & 0x0E, UInt8(truncatingIfNeeded: pts >> 22),
      0x01 | UInt8(truncatingIfNeeded: pts >> 14) & 0xFE, UInt8(truncatingIfNeeded: pts >> 7),
      0x01 | UInt8(truncatingIfNeeded: pts << 1),
    ]
    // The header of teletext has 45 bytes (ETSI EN 300 472, 4.2).
    let filling = [UInt8](repeating: 0xFF, count: kind == .teletext ? 31 : 0)
    let rest = [0x84, 0x80, UInt8(5 + filling.count)] + time + filling + payload
    let pes: [UInt8] = [0, 0, 1, 0xBD, 0, UInt8(rest.count)] + rest
    let stuffing = 184 - pes.count
    guard stuffing > 0 else { return [0x47, 0x41, 0x01, 0x10 | number] + pes }
    return [0x47, 0x41, 0x01, 0x30 | number] + [UInt8(stuffing - 1), 0]
      + [UInt8](repeating: 0xFF, count: stuffing - 2) + pes
  }

  /// Replaces a descriptor of eight bytes by one of five and a private one of one byte.
  private static func announceTeletext(_ packet: inout [UInt8]) {
    guard let place = packet.firstRange(of: [0x59, 8] + Array("deu".utf8))?.lowerBound else {
      return
    }
    packet.replaceSubrange(
      place..<place + 10, with: [0x56, 5] + Array("deu".utf8) + [0x11, 0, 0xF0, 1, 0])
    // The CRC of a section starts with all ones (ISO/IEC 13818-1, annex A).
    let section = 5..<5 + 3 + Int(packet[6] & 0x0F) << 8 + Int(packet[7]) - 4
    var summed = Array(packet[section])
    for index in 0..<4 { summed[index] = ~summed[index] }
    let sum = Checksum.crc32(summed[...])
    for index in 0..<4 {
      packet[section.upperBound + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index))
    }
  }
}
