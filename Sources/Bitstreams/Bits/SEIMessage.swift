/// Messages of a supplemental enhancement information unit (ITU-T H.264, 7.3.2.3; H.265, 7.3.2.4).
package enum SEIMessage {
  /// The first message of a type.
  ///
  /// - Parameter unit: the unit without its header, escaped as stored.
  package static func payload(ofType wanted: Int, in unit: ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  {
    var rest = NALUnits.unescaped(unit)[...]
    // 0x80 alone is the trailing bit of the unit.
    while rest.count > 2, let type = number(&rest), let size = number(&rest), size <= rest.count {
      if type == wanted { return rest.prefix(size) }
      rest = rest.dropFirst(size)
    }
    return nil
  }

  /// The unit without messages of a type.
  ///
  /// - Parameter payload: the unit without its header, not escaped.
  /// - Returns: `nil` where nothing is left of it.
  package static func removing(_ unwanted: Int, from payload: [UInt8]) -> [UInt8]? {
    var rest = payload[...]
    var kept: [UInt8] = []
    while rest.count > 2 {
      let message = rest
      guard let type = number(&rest), let size = number(&rest), size <= rest.count else {
        return payload
      }
      rest = rest.dropFirst(size)
      if type != unwanted { kept += message[..<rest.startIndex] }
    }
    return kept.isEmpty ? nil : kept + rest
  }

  /// A number written as a run of 255 and a rest.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    while let byte = bytes.popFirst() {
      value += Int(byte)
      if byte != 0xFF { return value }
    }
    return nil
  }
}
