/// Messages of a supplemental enhancement information unit (ITU-T H.264, 7.3.2.3; H.265, 7.3.2.4).
package enum SEIMessage {
  /// The first message of a type.
  ///
  /// - Parameter unit: the unit without its header, escaped as stored.
  package static func payload(ofType wanted: Int, in unit: ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  {
    var rest = NALEscaping.unescaped(unit.prefix(4096))[...]
    // A lone 0x80 is the trailing bit of the unit.
    while rest.count > 2, let type = number(&rest), let size = number(&rest), size <= rest.count {
      if type == wanted { return rest.prefix(size) }
      rest = rest.dropFirst(size)
    }
    return nil
  }

  /// The unit without messages of a type.
  ///
  /// - Parameter payload: the unit without its header, not escaped.
  /// - Returns: `nil` where nothing is left; the whole unit where its messages cannot be parsed.
  package static func removing(_ unwanted: Int, from payload: [UInt8]) -> [UInt8]? {
    guard let messages = messages(in: payload) else { return payload }
    return joined(messages.filter { $0.type != unwanted })
  }

  /// The unit with some of its messages.
  ///
  /// - Parameter payload: the unit without its header, not escaped.
  /// - Returns: `nil` where it has none of those, or its messages cannot be parsed.
  package static func keeping(
    in payload: [UInt8], _ isKept: (_ type: Int, _ content: ArraySlice<UInt8>) -> Bool
  ) -> [UInt8]? {
    messages(in: payload).flatMap { joined($0.filter { isKept($0.type, $0.content) }) }
  }

  private struct Message {
    let type: Int
    let content: ArraySlice<UInt8>
    /// The message with its type and size.
    let bytes: ArraySlice<UInt8>
  }

  private static func messages(in payload: [UInt8]) -> [Message]? {
    var rest = payload[...]
    var messages: [Message] = []
    while rest.count > 2 {
      let start = rest.startIndex
      guard let type = number(&rest), let size = number(&rest), size <= rest.count else {
        return nil
      }
      let content = rest.prefix(size)
      rest = rest.dropFirst(size)
      messages.append(
        Message(type: type, content: content, bytes: payload[start..<content.endIndex]))
    }
    return messages
  }

  /// Joins messages to a unit, which ends with a stop bit.
  private static func joined(_ messages: [Message]) -> [UInt8]? {
    messages.isEmpty ? nil : messages.flatMap(\.bytes) + [0x80]
  }

  /// A number coded as a run of 255 bytes and a remainder.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    while let byte = bytes.popFirst() {
      value += Int(byte)
      if byte != 0xFF { return value }
    }
    return nil
  }
}
