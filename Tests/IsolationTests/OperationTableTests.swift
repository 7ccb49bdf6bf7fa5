import JSON
import MediaEngine
import Testing

@testable import Isolation

@Suite(.timeLimit(.minutes(1))) struct `Given the operations that a sealed process serves` {
  private static let operations = SealedOperations(
    [
      "echo": { work in SealedAnswer(.object(["asked": work.arguments]), Array("bytes".utf8)) },
      "fail": { _ in throw MediaError(.emptyRange, "the range is empty", hint: "Choose another.") },
      // The engine's own operation of that name is not replaced.
      "plan": { _ in SealedAnswer(.string("not the engine's")) },
    ], hook: { $0 == "hooked" ? "the hook refuses" : nil })

  private func answer(
    _ operation: JSONValue, _ arguments: JSONValue = .integer(7)
  ) -> EngineMessage {
    let server = EngineServer(Self.operations, voice: EngineVoice())
    let head = JSONValue.object([
      "operation": operation, "arguments": arguments, "files": EngineFiles().value,
    ])
    return server.answer(EngineMessage(head: head), [])
  }

  private func failure(_ operation: JSONValue) throws -> EngineFailure {
    let reported = try #require(answer(operation).head["failure"])
    return try reported.decoded(as: EngineFailure.self)
  }

  @Test func `then one that a front end added is performed with its arguments`() {
    let answer = answer(.string("echo"))
    #expect(answer.head == .object(["result": .object(["asked": .integer(7)])]))
    #expect(answer.body == Array("bytes".utf8))
  }

  @Test func `then the error of an added one arrives with its code and hint`() throws {
    let error = try failure(.string("fail")).mediaError
    #expect(error.code == .emptyRange)
    #expect(error.message == "the range is empty")
    #expect(error.hint == "Choose another.")
  }

  @Test func `then an added one does not replace one of the engine's`() throws {
    #expect(try failure(.string("plan")).message == "nothing is open in this process")
  }

  @Test(arguments: [JSONValue.string("unknown"), .null, .integer(1), .string("")])
  func `then anything else is refused`(_ operation: JSONValue) throws {
    let failure = try failure(operation)
    #expect(failure.code == MediaErrorCode.internalError.rawValue)
    #expect(failure.message == "the request cannot be understood")
  }

  @Test func `then a test's hook comes before each`() throws {
    #expect(try failure(.string("hooked")).message == "the hook refuses")
  }

  @Test func `then what a process says in a hint cannot control a terminal`() throws {
    var failure = EngineFailure(MediaError(.internalError, "it failed", hint: "\u{1B}[2Jgone"))
    failure = try JSONValue.encoded(failure).decoded(as: EngineFailure.self)
    #expect(failure.mediaError.hint == "\\u{1b}[2Jgone")
    #expect(failure.mediaError.hint == "\\u{1b}[2Jgone")
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given bytes that a sealed process sends` {
  private func read(_ bytes: [UInt8], piece: Int) throws -> [EngineMessage] {
    var reader = EngineMessage.Reader()
    var found: [EngineMessage] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { reader.add($0) }
      while let message = try reader.next() { found.append(message) }
    }
    return found
  }

  @Test(arguments: [1, 3, 4096])
  func `then messages arrive whole, however they are divided`(_ piece: Int) throws {
    let sent = [
      EngineMessage(head: .object(["beat": .bool(true)])),
      EngineMessage(head: .object(["result": .null]), body: Array(0...255)),
      EngineMessage(head: .object(["progress": .array([.integer(1), .null])])),
    ]
    #expect(try read(sent.flatMap(\.bytes), piece: piece) == sent)
  }

  @Test(arguments: [
    "0 0\n", "-1 0\n{}", "2\n{}", "2 0 0\n{}", "2 x\n{}", "2 -1\n{}", "99999999999 0\n",
    "2 1073741825\n{}", "2 0\n{]", "99999999999999999999999999 0\n",
    "no line within bounds at all ....",
  ])
  func `then anything else is no message`(_ text: String) {
    #expect(throws: EngineMessage.Reader.Failure.self) { try read(Array(text.utf8), piece: 5) }
  }
}
