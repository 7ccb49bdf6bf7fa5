import CommandLineKit
import Isolation
import Testing

@testable import TrimCommands

@Suite struct `Given the answer of a worker` {
  private func reply(_ columns: String, head: JSONValue = Self.head) -> TaskReply? {
    TaskReply(SealedAnswer(head, Array(columns.utf8)))
  }

  private static let head = JSONValue.object([
    "wall_ms": .integer(2), "bytes": .integer(3), "error": .null,
  ])

  @Test func `then it is read as it was sent`() {
    var sent = TaskReply(bytes: 3, milliseconds: 2)
    sent.result = .value(.object(["name": .string("a\tb é")]))
    #expect(TaskReply(sent.answer) == sent)
    sent.result = .value(.object(["name": .string("plain")]))
    let plain = TaskReply(sent.answer)
    #expect(plain?.result?.value == sent.result?.value)
    sent = TaskReply()
    sent.failure = BatchFailure(code: "damaged", status: .badData, "it is damaged")
    #expect(TaskReply(sent.answer) == sent)
  }

  /// So that a row contains nothing that acts on a terminal, even if the process is compromised.
  @Test func `then its columns are parsed if they are not plain`() {
    let escape = reply(#"{"a":"\u001b[2J"}"#)
    #expect(escape?.result == .value(.object(["a": .string("\u{1B}[2J")])))
    let spaced = reply(#"{ "a":1}"#)
    #expect(spaced?.result == .value(.object(["a": .integer(1)])))
  }

  @Test(arguments: ["", "null", "[]", "{}{}", "{\"a\":\"\u{1B}\"}", #"{"a":1,"a":2}"#])
  func `then columns that are no object are rejected`(_ columns: String) {
    #expect(reply(columns) == nil)
  }

  @Test(arguments: [
    JSONValue.null, .object([]), .object(["wall_ms": .integer(2), "bytes": .null]),
    .object(["wall_ms": .null, "error": .null]),
    .object(["wall_ms": .integer(2), "error": .object([])]),
  ])
  func `then anything else is rejected`(_ head: JSONValue) {
    #expect(reply("{}", head: head) == nil)
  }
}
