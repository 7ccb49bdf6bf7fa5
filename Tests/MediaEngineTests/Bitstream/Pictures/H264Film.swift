@testable import MediaEngine

/// Coded units of H.264 made bit by bit, and samples of them.
enum H264Film {
  enum SliceType: Int, Sendable { case p, b, i }

  /// A parameter set of Constrained Baseline at 32 x 32, or Main with fields.
  static func sequence(hasOnlyFrames: Bool = true, isAdaptive: Bool = false) -> [UInt8] {
    [0x67]
      + BitWriter.bytes { bits in
        bits.write(hasOnlyFrames ? 66 : 77, 8)
        bits.write(0x40, 8)
        bits.write(30, 8)
        for value in [0, 0, 2, 1] { bits.ue(value) }
        bits.flag(false)
        bits.ue(1)
        bits.ue(hasOnlyFrames ? 1 : 0)
        bits.flag(hasOnlyFrames)
        if !hasOnlyFrames { bits.flag(isAdaptive) }
        bits.write(0b1001, 4)
      }
  }

  static var pictureSet: [UInt8] {
    [0x68]
      + BitWriter.bytes { bits in
        bits.ue(0)
        bits.ue(0)
        bits.write(1, 8)
      }
  }

  enum Lines: Sendable { case undeclared, frame, top, bottom }

  static func slice(_ type: SliceType, unit: UInt8 = 0x41, lines: Lines = .undeclared) -> [UInt8] {
    [unit]
      + BitWriter.bytes { bits in
        bits.ue(0)
        bits.ue(type.rawValue + 5)
        bits.ue(0)
        bits.write(3, 4)
        if lines != .undeclared { bits.flag(lines != .frame) }
        if lines == .top || lines == .bottom { bits.flag(lines == .bottom) }
        bits.write(0xABCD, 16)
      }
  }

  static func recoveryPoint(after frames: Int) -> [UInt8] {
    let payload = BitWriter.bytes { bits in
      bits.ue(frames)
      bits.write(0b1001, 4)
    }
    return [0x06, 6, UInt8(payload.count)] + payload + [0x80]
  }

  static let delimiter: [UInt8] = [0x09, 0x10]

  static func sample(_ units: [UInt8]...) -> [UInt8] { units.flatMap { [0, 0, 0, 1] + $0 } }
}
