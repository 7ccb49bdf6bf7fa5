import MediaFacts
import Testing

@testable import MediaEngine

@Suite struct `Given a sample of HEVC` {
  /// nal_unit_type, slice_type (0 is B, 1 is P, 2 is I) and what follows.
  struct Access: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var type: UInt8
    var slice = 2
    var recovery: Int?
    var flagged: RandomAccessKind
    var unflagged: RandomAccessKind?
    var leading: CodedPicture.Leading?

    static let cases = [
      Access(testDescription: "IDR_W_RADL", type: 19, flagged: .idr, unflagged: .idr),
      Access(testDescription: "IDR_N_LP", type: 20, flagged: .idr, unflagged: .idr),
      Access(testDescription: "CRA", type: 21, flagged: .cra, unflagged: .cra),
      Access(testDescription: "BLA_W_LP", type: 16, flagged: .bla, unflagged: .bla),
      Access(testDescription: "BLA_N_LP", type: 18, flagged: .bla, unflagged: .bla),
      Access(testDescription: "a trailing I picture", type: 1, flagged: .flaggedOnly),
      Access(testDescription: "a trailing P picture", type: 1, slice: 1, flagged: .flaggedOnly),
      Access(
        testDescription: "a trailing I picture with a recovery point", type: 1, recovery: 0,
        flagged: .recoveryPoint, unflagged: .recoveryPoint),
      Access(
        testDescription: "the start of a gradual refresh", type: 1, slice: 1, recovery: 8,
        flagged: .flaggedOnly),
      Access(
        testDescription: "RADL", type: 6, slice: 0, flagged: .flaggedOnly, leading: .decodable),
      Access(testDescription: "RASL", type: 9, slice: 0, flagged: .flaggedOnly, leading: .skipped),
    ]

    var sample: [UInt8] {
      var units: [[UInt8]] = [[68, 1] + BitWriter.bytes { $0.write(0b1100_0000_1, 9) }]
      if let recovery {
        let payload = BitWriter.bytes { bits in
          bits.se(recovery)
          bits.write(0b101, 3)
        }
        units.append([78, 1, 6, UInt8(payload.count)] + payload + [0x80])
      }
      let header = BitWriter.bytes { bits in
        bits.flag(true)
        if (16...23).contains(type) { bits.flag(false) }
        bits.ue(0)
        bits.ue(slice)
        bits.write(0x55, 8)
      }
      units.append([type << 1, 1] + header)
      return units.flatMap { [0, 0, 1] + $0 }
    }
  }

  @Test(arguments: Access.cases)
  func `then its unit type says what kind of picture it is`(_ access: Access) throws {
    var stream = try #require(VideoBitstream(codec: "hevc", configuration: []))
    let read = stream.picture(in: access.sample)
    let picture = try #require(read)
    #expect(picture.access(isFlagged: true) == access.flagged)
    #expect(picture.access(isFlagged: false) == access.unflagged)
    #expect(picture.leading == access.leading)
    #expect(picture.prediction == [.bidirectional, .forward, .intra][access.slice])
  }

  @Test func `when a unit belongs to another layer then it is passed over`() throws {
    var stream = try #require(VideoBitstream(codec: "hevc", configuration: []))
    #expect(stream.picture(in: [0, 0, 1, 38, 9, 0xC0, 0x80]) == nil)
  }
}
