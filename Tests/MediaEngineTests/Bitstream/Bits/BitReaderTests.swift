import Support
import Testing

@testable import MediaEngine

@Suite struct `Given coded bits` {
  @Test func `when numbers of any width were written then they are read back`() throws {
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<200 {
      let numbers = (0..<40).map { _ in
        let width = Int.random(in: 0...32, using: &generator)
        return (value: Int.random(in: 0..<(1 << width), using: &generator), width: width)
      }
      let bytes = BitWriter.bytes { writer in
        for number in numbers { writer.write(number.value, number.width) }
      }
      var reader = BitReader(bytes[...])
      for number in numbers {
        #expect(try reader.int(number.width) == number.value, "\(generator)")
      }
    }
  }

  @Test func `when Exp-Golomb numbers were written then they are read back`() throws {
    let numbers = [0, 1, 2, 3, 7, 8, 254, 255, 256, 65535, 1 << 20, 1 << 31, (1 << 32) - 2]
    let bytes = BitWriter.bytes { writer in
      for number in numbers {
        writer.ue(number)
        writer.se(number / 2)
        writer.se(-number / 2)
      }
    }
    var reader = BitReader(bytes[...])
    for number in numbers {
      #expect(try reader.ue() == number)
      #expect(try reader.se() == number / 2)
      #expect(try reader.se() == -number / 2)
    }
  }

  @Test func `when the end is reached then nothing more is read and the position stays`() throws {
    var reader = BitReader([0xFF, 0x80][...])
    #expect(try reader.bits(9) == 0x1FF)
    #expect(throws: MalformedBits.self) { try reader.bits(8) }
    #expect(throws: MalformedBits.self) { try reader.skip(8) }
    #expect(reader.position == 9)
    #expect(try reader.bits(7) == 0)
    #expect(throws: MalformedBits.self) { try reader.flag() }
  }

  @Test func `when zeros never end then an Exp-Golomb number is refused`() {
    let endless = [UInt8](repeating: 0, count: 64)
    var reader = BitReader(endless[...])
    #expect(throws: MalformedBits.self) { try reader.ue() }
  }

  @Test func `when a number exceeds its limit then it is refused`() {
    let bytes = BitWriter.bytes { $0.ue(32) }
    var reader = BitReader(bytes[...])
    #expect(throws: MalformedBits.self) { try reader.ue(upTo: 31) }
  }
}

@Suite struct `Given NAL units` {
  @Test(
    arguments: [
      ("one byte each", NALFraming.lengths(1), [1, 9, 2, 0x65, 7]),
      ("two bytes each", .lengths(2), [0, 1, 9, 0, 2, 0x65, 7]),
      ("four bytes each", .lengths(4), [0, 0, 0, 1, 9, 0, 0, 0, 2, 0x65, 7]),
      ("start codes of three and four bytes", .startCodes, [0, 0, 1, 9, 0, 0, 1, 0x65, 7]),
      ("zeros before the first start code", .startCodes, [0, 0, 0, 0, 1, 9, 0, 0, 1, 0x65, 7]),
      ("a last unit that is cut short", .lengths(2), [0, 1, 9, 0xFF, 0xFF, 0x65, 7]),
      ("an empty unit between", .lengths(1), [1, 9, 0, 2, 0x65, 7]),
    ] as [(String, NALFraming, [UInt8])])
  func `then they are told apart`(_ name: String, _ framing: NALFraming, _ bytes: [UInt8]) {
    #expect(NALUnits(bytes[...], framing).map { Array($0.bytes) } == [[9], [0x65, 7]])
  }

  @Test func `when the sample holds start codes against its configuration then they are followed`()
  {
    let sample: [UInt8] = [0, 0, 0, 1, 9, 0x10]
    #expect(NALFraming.lengths(4).found(in: sample[...]) == .startCodes)
    #expect(NALFraming.lengths(4).found(in: sample[1...]) == .lengths(4))
  }

  @Test func `when emulation was prevented then the payload is as it was`() {
    let unit = NALUnit(bytes: [0x67, 0, 0, 3, 1, 0, 0, 3, 0, 0, 3, 3, 0, 3][...])
    #expect(unit.payload(after: 1) == [0, 0, 1, 0, 0, 0, 0, 3, 0, 3])
  }
}
