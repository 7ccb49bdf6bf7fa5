import Bitstreams
import MediaFacts

/// The units that an MPEG program stream is made of (ISO/IEC 13818-1, 2.5).
enum ProgramPack {
  /// At most one DVD sector.
  static let mostBytes = 2048
  static let headerByteCount = 14
  /// Ticks of the SCR per second, and per tick of a PTS.
  static let clocksPerSecond: Int64 = 27_000_000
  static let clocksPerTick: Int64 = 300

  /// MPEG_program_end_code (2.5.3.2).
  static let end: [UInt8] = [0, 0, 1, 0xB9]

  /// PTS and DTS of a packet.
  struct Times: Equatable {
    /// Ticks of 90 kHz.
    var pts: Int64
    var dts: Int64
  }

  /// pack_header (2.5.3.3).
  ///
  /// - Parameters:
  ///   - clock: when its first bytes arrive, in clocks of 27 MHz.
  ///   - rate: in units of 50 bytes a second.
  static func header(clock: Int64, rate: Int64) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0x0000_01BA, bits: 32)
    bits.write(1, bits: 2)
    let base = (clock / clocksPerTick) & (1 << 33 - 1)
    bits.write(UInt32(base >> 30), bits: 3)
    bits.flag(true)
    bits.write(UInt32(base >> 15 & 0x7FFF), bits: 15)
    bits.flag(true)
    bits.write(UInt32(base & 0x7FFF), bits: 15)
    bits.flag(true)
    bits.write(UInt32(clock % clocksPerTick), bits: 9)
    bits.flag(true)
    bits.write(UInt32(clamping: rate), bits: 22)
    bits.write(0b11, bits: 2)
    // Reserved, and no stuffing.
    bits.write(0b1111_1000, bits: 8)
    return bits.bytes
  }

  /// system_header (2.5.3.5): the total rate, and the decoder buffer size of each stream.
  static func system(_ streams: [ProgramStream], _ schedule: ProgramSchedule) -> [UInt8] {
    // All streams in private_stream_1 share one entry.
    let listed = Dictionary(
      zip(streams.map(\.id), schedule.bufferByteCounts), uniquingKeysWith: max)
    var bits = BitWriter()
    bits.write(0x0000_01BB, bits: 32)
    bits.write(UInt32(6 + 3 * listed.count), bits: 16)
    bits.flag(true)
    bits.write(UInt32(clamping: schedule.rate), bits: 22)
    bits.flag(true)
    bits.write(UInt32(clamping: min(32, streams.count { $0.kind == .audio })), bits: 6)
    // No fixed rate, no constrained parameters, no clock locks.
    bits.write(0b0000, bits: 4)
    bits.flag(true)
    bits.write(UInt32(clamping: streams.count { $0.kind == .video }), bits: 5)
    bits.write(0xFF >> 1, bits: 8)
    for (id, byteCount) in listed.sorted(by: { $0.key < $1.key }) {
      bits.write(UInt32(id), bits: 8)
      bits.write(0b11, bits: 2)
      bits.write(buffer(byteCount, of: id), bits: 14)
    }
    return bits.bytes
  }

  /// program_stream_map (2.5.4.1): the type of each stream that has its own stream_id.
  static func map(_ streams: [ProgramStream]) -> [UInt8] {
    let listed = streams.filter { $0.type != nil }
    var bits = BitWriter()
    bits.write(0x0000_01BC, bits: 32)
    bits.write(UInt32(10 + 4 * listed.count), bits: 16)
    // The current one, of version 0.
    bits.write(0b1110_0000, bits: 8)
    bits.write(0xFF, bits: 8)
    bits.write(0, bits: 16)
    bits.write(UInt32(4 * listed.count), bits: 16)
    for stream in listed {
      bits.write(UInt32(stream.type ?? 0), bits: 8)
      bits.write(UInt32(stream.id), bits: 8)
      bits.write(0, bits: 16)
    }
    bits.write(Checksum.crc32(bits.bytes[...], from: .max), bits: 32)
    return bits.bytes
  }

  /// P-STD_buffer_bound_scale and P-STD_buffer_size_bound: units of 128 bytes for audio, of 1,024 for others.
  private static func buffer(_ byteCount: Int, of id: UInt8) -> UInt32 {
    let isSound = id & 0xE0 == 0xC0
    let unit = isSound ? 128 : 1024
    return (isSound ? 0 : 1 << 13) | UInt32(clamping: min(0x1FFF, (byteCount + unit - 1) / unit))
  }

  /// A PES packet (2.4.3.6).
  ///
  /// - Parameters:
  ///   - content: the payload; as much of it as fits is written.
  ///   - times: of the picture or audio packet that begins with it.
  ///   - buffer: P-STD_buffer_size in bytes (2.5.2.4), for the stream's first packet only.
  ///   - most: maximum size of the packet in bytes.
  /// - Returns: the packet, and the number of content bytes in it.
  static func packet(
    of stream: ProgramStream, _ content: ArraySlice<UInt8>, _ times: Times?, buffer: Int?,
    most: Int
  ) -> (bytes: [UInt8], held: Int) {
    var fields: [UInt8] = []
    var flags: UInt8 = 0
    if let times {
      let isReordered = times.pts != times.dts
      flags = isReordered ? 0xC0 : 0x80
      fields += stamp(times.pts, mark: isReordered ? 3 : 2)
      if isReordered { fields += stamp(times.dts, mark: 1) }
    }
    if let buffer {
      flags |= 1
      let size = Self.buffer(buffer, of: stream.id) | 1 << 14
      // Only P-STD_buffer_flag; three bits are reserved.
      fields += [0x1E, UInt8(size >> 8), UInt8(size & 0xFF)]
    }
    let prefix = stream.prefix(begins: times != nil)
    // Start code, stream_id, length, flags and header length take nine bytes.
    let held = content.prefix(most - 9 - fields.count - prefix.count)
    let length = 3 + fields.count + prefix.count + held.count
    // data_alignment_indicator: a start code or sync word comes first.
    let head: [UInt8] =
      [0, 0, 1, stream.id, UInt8(length >> 8), UInt8(length & 0xFF)]
      + [times == nil ? 0x80 : 0x84, flags, UInt8(fields.count)]
    return (head + fields + prefix + held, held.count)
  }

  private static func stamp(_ ticks: Int64, mark: UInt8) -> [UInt8] {
    let ticks = ticks & (1 << 33 - 1)
    return [
      mark << 4 | UInt8(ticks >> 30) << 1 | 1,
      UInt8(ticks >> 22 & 0xFF), UInt8(ticks >> 15 & 0x7F) << 1 | 1,
      UInt8(ticks >> 7 & 0xFF), UInt8(ticks & 0x7F) << 1 | 1,
    ]
  }
}
