/// Units of coded video made bit by bit, and samples of them.
enum CodedUnits {
  enum SliceType: Int, Sendable { case p, b, i }

  static let delimiter: [UInt8] = [0x09, 0x10]

  /// A slice of H.264 (7.3.3): first_mb_in_slice, slice_type, then bits that do not matter here.
  static func h264Slice(_ type: SliceType, unit: UInt8 = 0x41, block: Int = 0) -> [UInt8] {
    [unit]
      + BitWriter.bytes { bits in
        bits.ue(block)
        bits.ue(type.rawValue + 5)
        bits.write(0xABCD, 16)
      }
  }

  /// An SEI unit of H.264 with a recovery point after another message.
  static func h264RecoveryPoint(after frames: Int) -> [UInt8] {
    let payload = BitWriter.bytes { bits in
      bits.ue(frames)
      bits.write(0b1001, 4)
    }
    let userData: [UInt8] = [0x05, 0xFF, 0x02] + [UInt8](repeating: 0x55, count: 257)
    return [0x06] + userData + [6, UInt8(payload.count)] + payload + [0x80]
  }

  /// A slice of HEVC: only the two bytes of its unit header matter here.
  static func hevcSlice(_ type: UInt8, layer: UInt8 = 0) -> [UInt8] {
    [type << 1, layer << 3 | 1, 0xA0, 0x55]
  }

  static func hevcRecoveryPoint(after pictures: Int) -> [UInt8] {
    let payload = BitWriter.bytes { bits in
      bits.se(pictures)
      bits.write(0b101, 3)
    }
    return [39 << 1, 1, 6, UInt8(payload.count)] + payload + [0x80]
  }

  /// A picture of MPEG-2 (ISO 13818-2, 6.2.3): 1 for I, 2 for P.
  static func mpeg2Picture(_ type: Int) -> [UInt8] {
    [0]
      + BitWriter.bytes { bits in
        bits.write(0, 10)
        bits.write(type, 3)
        bits.write(0xFFFF, 16)
      }
  }

  /// A group_of_pictures_header (6.2.2.6).
  static func mpeg2Group(isClosed: Bool) -> [UInt8] {
    [0xB8]
      + BitWriter.bytes { bits in
        bits.write(1 << 12, 25)
        bits.flag(isClosed)
        bits.flag(false)
      }
  }

  /// A unit of AV1 with its size (5.3.1).
  static func av1(_ type: UInt8, _ payload: [UInt8], hasExtension: Bool = false) -> [UInt8] {
    [type << 3 | 2 | (hasExtension ? 4 : 0)] + (hasExtension ? [0] : [])
      + [UInt8(payload.count)] + payload
  }

  static func startCoded(_ units: [UInt8]...) -> [UInt8] { units.flatMap { [0, 0, 1] + $0 } }
}
