/// Reads the syntax of a parameter set or a slice header, which may end too early.
struct SyntaxReader {
  /// What stands there is not what the standard allows, or not understood here.
  struct NotUnderstood: Error {}

  private var reader: BitReader

  /// - Parameter payload: without emulation prevention and without the unit's header.
  init(_ payload: [UInt8]) { reader = BitReader(payload) }

  /// Bits read so far.
  var position: Int { reader.position }

  /// u(n), at most 32 bits.
  mutating func bits(_ count: Int) throws(NotUnderstood) -> UInt32 {
    guard let value = reader.read(count) else { throw NotUnderstood() }
    return value
  }

  mutating func flag() throws(NotUnderstood) -> Bool { try bits(1) == 1 }

  mutating func skip(_ count: Int) throws(NotUnderstood) {
    guard reader.skip(count) else { throw NotUnderstood() }
  }

  /// ue(v) up to a limit.
  mutating func unsigned(upTo limit: UInt32 = .max) throws(NotUnderstood) -> UInt32 {
    guard let value = reader.exponentialGolomb(), value <= limit else { throw NotUnderstood() }
    return value
  }

  /// se(v).
  @discardableResult
  mutating func signed() throws(NotUnderstood) -> Int32 {
    guard let value = reader.signedExponentialGolomb() else { throw NotUnderstood() }
    return value
  }

  /// Where the stop bit of a payload stands (rbsp_trailing_bits).
  static func stopBit(of payload: [UInt8]) -> Int {
    guard let last = payload.lastIndex(where: { $0 != 0 }) else { return 0 }
    return last * 8 + 7 - payload[last].trailingZeroBitCount
  }
}
