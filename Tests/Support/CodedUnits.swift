/// Units of coded video made bit by bit, and samples of them.
package enum CodedUnits {
  package enum SliceType: Int, Sendable { case p, b, i }

  package static let delimiter: [UInt8] = [0x09, 0x10]

  /// A slice of H.264 (7.3.3): first_mb_in_slice, slice_type, then bits that do not matter here.
  package static func h264Slice(_ type: SliceType, unit: UInt8 = 0x41, block: Int = 0) -> [UInt8] {
    [unit]
      + BitBuilder.bytes { bits in
        bits.ue(block)
        bits.ue(type.rawValue + 5)
        bits.write(0xABCD, 16)
      }
  }

  /// An SEI unit of H.264 with a recovery point after another message.
  package static func h264RecoveryPoint(after frames: Int) -> [UInt8] {
    let payload = BitBuilder.bytes { bits in
      bits.ue(frames)
      bits.write(0b1001, 4)
    }
    let userData: [UInt8] = [0x05, 0xFF, 0x02] + [UInt8](repeating: 0x55, count: 257)
    return [0x06] + userData + [6, UInt8(payload.count)] + payload + [0x80]
  }

  /// A slice of HEVC: only the two bytes of its unit header matter here.
  package static func hevcSlice(_ type: UInt8, layer: UInt8 = 0) -> [UInt8] {
    [type << 1, layer << 3 | 1, 0xA0, 0x55]
  }

  package static func hevcRecoveryPoint(after pictures: Int) -> [UInt8] {
    let payload = BitBuilder.bytes { bits in
      bits.se(pictures)
      bits.write(0b101, 3)
    }
    return [39 << 1, 1, 6, UInt8(payload.count)] + payload + [0x80]
  }

  /// A picture of MPEG-2 (ISO 13818-2, 6.2.3): 1 for I, 2 for P.
  package static func mpeg2Picture(_ type: Int) -> [UInt8] {
    [0]
      + BitBuilder.bytes { bits in
        bits.write(0, 10)
        bits.write(type, 3)
        bits.write(0xFFFF, 16)
      }
  }

  /// A group_of_pictures_header (6.2.2.6).
  package static func mpeg2Group(isClosed: Bool) -> [UInt8] {
    [0xB8]
      + BitBuilder.bytes { bits in
        bits.write(1 << 12, 25)
        bits.flag(isClosed)
        bits.flag(false)
      }
  }

  /// A unit of AV1 with its size (5.3.1).
  package static func av1(_ type: UInt8, _ payload: [UInt8], hasExtension: Bool = false) -> [UInt8]
  {
    [type << 3 | 2 | (hasExtension ? 4 : 0)] + (hasExtension ? [0] : [])
      + [UInt8(payload.count)] + payload
  }

  package static func startCoded(_ units: [UInt8]...) -> [UInt8] {
    units.flatMap { [0, 0, 1] + $0 }
  }
}
