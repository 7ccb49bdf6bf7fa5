/// Reads the syntax of a parameter set or a slice header, which may be truncated.
package struct SyntaxReader {
  /// The error for syntax that the standard does not allow, or that is not supported here.
  package struct NotUnderstood: Error {}

  private var reader: BitReader

  /// - Parameter payload: without emulation prevention and without the unit's header.
  package init(_ payload: some Collection<UInt8>) { reader = BitReader(Array(payload)) }

  /// Bits read so far.
  package var position: Int { reader.position }

  /// u(n), at most 32 bits.
  package mutating func bits(_ count: Int) throws(NotUnderstood) -> UInt32 {
    guard let value = reader.read(count) else { throw NotUnderstood() }
    return value
  }

  package mutating func flag() throws(NotUnderstood) -> Bool { try bits(1) == 1 }

  package mutating func skip(_ count: Int) throws(NotUnderstood) {
    guard reader.skip(count) else { throw NotUnderstood() }
  }

  /// ue(v) up to a limit.
  package mutating func unsigned(upTo limit: UInt32 = .max) throws(NotUnderstood) -> UInt32 {
    guard let value = reader.exponentialGolomb(), value <= limit else { throw NotUnderstood() }
    return value
  }

  /// se(v).
  @discardableResult
  package mutating func signed() throws(NotUnderstood) -> Int32 {
    guard let value = reader.signedExponentialGolomb() else { throw NotUnderstood() }
    return value
  }

  /// Whether there are only zeros up to the end.
  package var hasOnlyZeros: Bool {
    var rest = reader
    while rest.bitsLeft > 0 {
      guard rest.read(min(32, rest.bitsLeft)) == 0 else { return false }
    }
    return true
  }

  /// The position of a payload's stop bit (rbsp_trailing_bits).
  package static func stopBit(of payload: [UInt8]) -> Int {
    guard let last = payload.lastIndex(where: { $0 != 0 }) else { return 0 }
    return last * 8 + 7 - payload[last].trailingZeroBitCount
  }
}
