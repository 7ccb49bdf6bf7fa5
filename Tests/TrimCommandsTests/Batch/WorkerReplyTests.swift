import CommandLineKit
import Testing

@testable import TrimCommands

@Suite struct `Given the answer of a worker` {
  private func reply(_ line: String) -> WorkerReply? { WorkerReply(line: Array(line.utf8)[...]) }

  private static let head = #"{"memory":1,"wall_ms":2,"bytes":3,"error":null}"#

  @Test func `then it is read as it was sent`() {
    var sent = WorkerReply(bytes: 3, milliseconds: 2, memory: 1)
    sent.result = .value(.object(["name": .string("a\tb é")]))
    #expect(WorkerReply(line: sent.line.dropLast()) == sent)
    sent.result = .value(.object(["name": .string("plain")]))
    let plain = WorkerReply(line: sent.line.dropLast())
    #expect(plain?.result?.value == sent.result?.value)
    sent = WorkerReply()
    sent.failure = BatchFailure(code: "damaged", status: .badData, "it is damaged")
    #expect(WorkerReply(line: sent.line.dropLast()) == sent)
  }

  /// So that a row contains nothing that acts on a terminal, even if the process is compromised.
  @Test func `then its columns are parsed if they are not plain`() {
    let escape = reply(Self.head + "\t" + #"{"a":"\u001b[2J"}"#)
    #expect(escape?.result == .value(.object(["a": .string("\u{1B}[2J")])))
    let spaced = reply(Self.head + "\t" + #"{ "a":1}"#)
    #expect(spaced?.result == .value(.object(["a": .integer(1)])))
  }

  @Test(arguments: [
    "", "{}", "\t{}", head, head + "\t", head + "\tnull", head + "\t[]", head + "\t{}{}",
    head + "\t{\"a\":\"\u{1B}\"}", head + "\t" + #"{"a":1,"a":2}"#,
    #"{"memory":1,"wall_ms":2,"bytes":3,"error":{}}"# + "\t{}",
  ])
  func `then anything else is rejected`(_ line: String) {
    #expect(reply(line) == nil)
  }
}
