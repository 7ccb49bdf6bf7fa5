import ExactTime

/// When the bytes of an MPEG program stream arrive, so that each is there before it is decoded.
struct ProgramSchedule: Equatable {
  /// In units of 50 bytes a second (program_mux_rate; ISO/IEC 13818-1, 2.5.3.4).
  let rate: Int64
  /// The peak buffer occupancy of each stream, in bytes.
  let bufferByteCounts: [Int]

  /// How long before its DTS a packet begins to arrive, in ticks of 90 kHz; no data may stay
  /// buffered for more than a second (2.4.2.6).
  static let lead: Int64 = 63_000
  static let reach = MediaDuration(lead, 90_000)
  /// DVD-Video's rate, which every decoder supports: 10.08 Mb/s.
  static let usualRate: Int64 = 25_200

  struct Packet {
    var stream: Int
    var dts: Int64
    var byteCount: Int
  }

  /// - Parameter packets: in the order in which they are written.
  init(_ packets: [Packet], streamCount: Int) {
    // If a stream's content stays below `rate` in every window of `lead`, no byte is late by more
    // than `lead`.
    var most: Int64 = 0
    var buffers = Array(repeating: 0, count: streamCount)
    var waiting = buffers
    var sum: Int64 = 0
    var first = 0
    for packet in packets {
      let size = Self.writtenByteCount(packet.byteCount)
      sum &+= size
      waiting[packet.stream] += Int(size)
      while packets[first].dts < packet.dts &- Self.lead {
        let left = Self.writtenByteCount(packets[first].byteCount)
        sum &-= left
        waiting[packets[first].stream] -= Int(left)
        first += 1
      }
      most = max(most, sum)
      buffers[packet.stream] = max(buffers[packet.stream], waiting[packet.stream])
    }
    let bytesPerSecond = most &* 90_000 / Self.lead &+ 1
    rate = min(1 << 22 - 1, max(Self.usualRate, (bytesPerSecond &+ 49) / 50))
    bufferByteCounts = buffers
  }

  /// Size including pack and packet headers, which are 44 bytes at most.
  private static func writtenByteCount(_ content: Int) -> Int64 {
    let packs = content / (ProgramPack.mostBytes - 64) + 1
    return Int64(content + packs * 44)
  }
}
