import Testing

@testable import JSON

@Suite(.timeLimit(.minutes(1)))
struct `Given values that become JSON` {
  private struct Numbers: Codable, Equatable {
    var int = Int.min
    var byte = UInt8.max
    var small = Int16.min
    var word = UInt32.max
    var large = UInt64.max
    var several: [Int8] = [.min, 0, .max]
    var absent: Int32?
  }

  private struct Inexact: Encodable {
    var whole: Float?
    var real: Double?
  }

  @Test func `then integers of every size come back, and those beyond Int64 are strings`() throws {
    let value = try JSONValue.encoded(Numbers())
    #expect(try value.decoded(as: Numbers.self) == Numbers())
    #expect(value["large"] == .string("18446744073709551615"))
    #expect(value["byte"] == .integer(255))
    #expect(throws: DecodingError.self) {
      try JSONValue.object([.init(key: "n", value: .integer(300))]).decoded(
        as: [String: UInt8].self)
    }
  }

  @Test func `then floating-point numbers are refused`() {
    #expect(throws: EncodingError.self) { try JSONValue.encoded(Inexact(whole: 1)) }
    #expect(throws: EncodingError.self) { try JSONValue.encoded(Inexact(real: 0.5)) }
    #expect(throws: EncodingError.self) { try JSONValue.encoded([0.5]) }
  }
}
