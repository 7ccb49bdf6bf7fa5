import Rendering
import Support
import Testing

/// Each field is a separate coded picture and packet: two make a frame.
@Suite(.timeLimit(.minutes(1)))
struct `Given a raw H.264 stream that is coded in fields` {
  @Test
  func `when frames are read in a row, or fetched in any order, then each is the one on screen`()
    throws
  {
    let folder = try ScratchFolder()
    let path = try folder.write(FieldCodedStream.bytes(frames: 40), to: "fields.h264")
    let track = try PictureTrack(Array(path.utf8))
    #expect(track.frameCount == 40)
    let reader = try FrameReader(track, size: .full)
    var numbers: [Int?] = []
    while let shown = try reader.next() { numbers.append(FrameCode.number(in: shown.picture)) }
    #expect(numbers == Array(0..<40))
    let grabber = try FrameGrabber(track)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      let number = Int.random(in: 0..<40, using: &random)
      let shown = try grabber.picture(ofFrame: number, size: .full)
      #expect(shown.frame.number == number)
      #expect(FrameCode.number(in: shown.picture) == number)
    }
  }
}

/// Numbered frames of 320 x 32, as no encoder at hand makes them: in fields, with raw samples
/// (I_PCM; ITU-T H.264, 7.3.5).
private enum FieldCodedStream {
  private static let group = 12

  static func bytes(frames count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 0..<count {
      let isFirst = number % group == 0
      bytes += isFirst ? unit(0x67, sequence) + unit(0x68, pictures) : unit(0x09, [0x10])
      bytes += field(of: number, isBottom: false, isIDR: isFirst)
      bytes += field(of: number, isBottom: true, isIDR: false)
    }
    return bytes
  }

  /// ITU-T H.264, 7.3.2.1.1 and E.1.1: main profile, 50 fields a second.
  private static var sequence: [UInt8] {
    var bits = BitBuilder()
    for byte in [77, 0, 30] { bits.write(byte, 8) }
    for value in [0, 0, 0, 4, 1] { bits.ue(value) }
    bits.write(0, 1)
    // 20 by 1 macroblocks a field.
    bits.ue(19)
    bits.ue(0)
    // Fields; no MBAFF; direct inference; no cropping; and a VUI, whose fifth flag is for timing.
    bits.write(0b00101, 5)
    bits.write(0b00001, 5)
    bits.write(1, 32)
    bits.write(50, 32)
    bits.write(0b10000, 5)
    bits.finish()
    return bits.bytes
  }

  /// 7.3.2.2.
  private static var pictures: [UInt8] {
    var bits = BitBuilder()
    for value in [0, 0] { bits.ue(value) }
    bits.write(0, 2)
    for value in [0, 0, 0] { bits.ue(value) }
    bits.write(0, 3)
    for value in [0, 0, 0] { bits.ue(value) }
    bits.write(0b100, 3)
    bits.finish()
    return bits.bytes
  }

  private static func field(of number: Int, isBottom: Bool, isIDR: Bool) -> [UInt8] {
    let place = number % group
    var bits = BitBuilder()
    for value in [0, 7, 0] { bits.ue(value) }
    bits.write(place, 4)
    bits.write(isBottom ? 0b11 : 0b10, 2)
    if isIDR { bits.ue(number / group % 2) }
    bits.write(2 * place + (isBottom ? 1 : 0), 8)
    bits.write(0, isIDR ? 2 : 1)
    bits.ue(0)
    bits.ue(1)
    for isWhite in code(number) {
      bits.ue(25)
      bits.write(
        aligned: [UInt8](repeating: isWhite ? 235 : 16, count: 256)
          + [UInt8](repeating: 128, count: 128))
    }
    bits.finish()
    return unit(isIDR ? 0x65 : 0x21, bits.bytes)
  }

  /// The code that ``FrameCode`` reads.
  private static func code(_ number: Int) -> [Bool] {
    let digits = (0..<16).reversed().map { number >> $0 & 1 == 1 }
    let isOdd = digits.count { $0 } % 2 == 1
    return [true, false] + digits + [isOdd, !isOdd]
  }

  /// A NAL unit after a start code (7.4.1.1 and B.1.1).
  private static func unit(_ header: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var (bytes, zeros): ([UInt8], Int) = ([0, 0, 0, 1, header], 0)
    for byte in payload {
      if zeros >= 2, byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return bytes
  }
}
