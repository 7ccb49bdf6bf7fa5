/// One message of a supplemental enhancement information unit (ITU-T H.264, 7.3.2.3).
struct SEIMessage {
  var type: Int
  var payload: ArraySlice<UInt8>

  /// The messages of an unescaped unit, in order; a broken one ends them.
  static func messages(in payload: [UInt8]) -> [SEIMessage] {
    var messages: [SEIMessage] = []
    var rest = payload[...]
    // 0x80 alone is the trailing bit of the unit.
    while rest.count > 2, let type = number(&rest), let size = number(&rest) {
      guard size <= rest.count else { break }
      messages.append(SEIMessage(type: type, payload: rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return messages
  }

  /// A number written as a run of 255 and a rest.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    while let byte = bytes.popFirst() {
      value += Int(byte)
      if byte != 255 { return value }
    }
    return nil
  }
}
