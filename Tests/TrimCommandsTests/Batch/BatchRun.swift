import CommandLineKit
import Support
import Testing

@testable import TrimCommands

/// A run of `trim batch` with misbehaving operations.
struct BatchRun {
  var run: ProgramRun
  var rows: [JSONValue]

  static let harness = ChildProcess.path(ofExecutable: "BatchHarness")
  static let absence: Comment = "BatchHarness is not built beside the tests"

  init(
    _ tasks: [String], _ words: String..., environment: [String: String] = [:],
    folder: String? = nil, limit: Duration = .seconds(120)
  ) async throws {
    let input = tasks.map { $0 + "\n" }.joined()
    try await self.init(
      input: Array(input.utf8), words, environment: environment, folder: folder, limit: limit)
  }

  init(
    input: [UInt8], _ words: [String], environment: [String: String] = [:],
    folder: String? = nil, limit: Duration = .seconds(120)
  ) async throws {
    let harness = try #require(Self.harness)
    run = try await ProgramRun(
      ([harness, "batch"] + words).map { Array($0.utf8) },
      input: .pieces(input, of: 65_536), environment: environment, folder: folder, limit: limit)
    rows = try run.out.split(separator: UInt8(ascii: "\n")).map { try JSONReader.read($0) }
  }

  /// A task for a file, or for an operation of the tests.
  static func task(_ id: String, _ operation: String, path: String = "x") -> String {
    #"{"id":"\#(id)","op":"\#(operation)","path":"\#(path)"}"#
  }

  var ids: [String?] { rows.map { $0["id"]?.text } }
  var codes: [String?] { rows.map { $0["error"]?["code"]?.text } }
}
