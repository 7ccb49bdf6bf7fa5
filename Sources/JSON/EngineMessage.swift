/// A message between a command and one of its sealed processes: JSON, followed by bytes.
///
/// On the wire: a line with both lengths, then both. Descriptors are sent with the first byte.
package struct EngineMessage: Sendable, Equatable {
  package var head: JSONValue
  package var body: [UInt8]

  package init(head: JSONValue, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }

  /// Anything larger is not a valid message: the limit allows a picture of the largest size, or the
  /// frames of a day.
  private static let longestHead = 512 << 20
  private static let longestBody = 1 << 30
  private static let longestLine = 32

  package var bytes: [UInt8] {
    let text = JSONWriter.write(head, .line)
    var bytes = Array("\(text.count) \(body.count)\n".utf8)
    bytes.reserveCapacity(bytes.count + text.count + body.count)
    bytes += text
    bytes += body
    return bytes
  }

  /// Adds a member to the head, which is an object.
  package mutating func add(_ key: String, _ value: JSONValue) {
    guard case .object(let members) = head else { return }
    head = .object(members + [JSONValue.Member(key: key, value: value)])
  }

  /// Collects bytes until they form a message.
  package struct Reader {
    private var received: [UInt8] = []
    /// Lengths of the message being received.
    private var lengths: (head: Int, body: Int)?

    /// Bytes that are not a message.
    package struct Failure: Error {}

    package init() {}

    /// True between two messages.
    package var isEmpty: Bool { received.isEmpty }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) { received += bytes }

    /// The next message, once it is complete.
    package mutating func next() throws(Failure) -> EngineMessage? {
      if lengths == nil {
        guard let end = received.prefix(EngineMessage.longestLine).firstIndex(of: 10) else {
          if received.count >= EngineMessage.longestLine { throw Failure() }
          return nil
        }
        let words = received[..<end].split(separator: UInt8(ascii: " ")).map {
          Int(String(decoding: $0, as: UTF8.self))
        }
        guard words.count == 2, let head = words[0], let body = words[1],
          (1...EngineMessage.longestHead).contains(head),
          (0...EngineMessage.longestBody).contains(body)
        else { throw Failure() }
        received.removeSubrange(...end)
        lengths = (head, body)
        received.reserveCapacity(head + body)
      }
      guard let lengths, received.count >= lengths.head + lengths.body else { return nil }
      let (head, end) = (lengths.head, lengths.head + lengths.body)
      guard let value = try? JSONReader.read(received[..<head]) else { throw Failure() }
      let message = EngineMessage(head: value, body: Array(received[head..<end]))
      received.removeSubrange(..<end)
      self.lengths = nil
      return message
    }
  }
}
