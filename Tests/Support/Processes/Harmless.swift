package import Testing

/// The tool that was built along with the tests.
package enum BuiltTool {
  package static let path: String? = ChildProcess.path(ofExecutable: "trim")

  /// The message of tests that are skipped without it.
  package static let absence: Comment = "trim is not built beside the tests"

  /// Runs the tool; `words` are its arguments.
  package static func run(
    _ words: [[UInt8]], input: ProgramRun.Input = .nothing, environment: [String: String] = [:],
    folder: String? = nil, limit: Duration = .seconds(60)
  ) async throws -> ProgramRun {
    let tool = try #require(path)
    return try await ProgramRun(
      [Array(tool.utf8)] + words, input: input, environment: environment, folder: folder,
      limit: limit)
  }

  /// Runs the tool; `words` are its arguments.
  package static func run(
    _ words: String..., input: ProgramRun.Input = .nothing, environment: [String: String] = [:],
    folder: String? = nil, limit: Duration = .seconds(60)
  ) async throws -> ProgramRun {
    try await run(
      words.map { Array($0.utf8) }, input: input, environment: environment, folder: folder,
      limit: limit)
  }
}

/// The general promise of the tool, whatever its input: it exits by itself with a documented status
/// that is not an internal error, within its time and memory limits, and sends no control character
/// to either stream.
package func expectHarmless(
  _ run: ProgramRun, statuses: Set<Int32> = [0, 1, 64, 65, 66, 69, 74, 75, 77],
  peakBytes: Int = 300 << 20, sourceLocation: SourceLocation = #_sourceLocation
) {
  let tail = run.errText.suffix(400)
  #expect(
    run.status.map { statuses.contains($0) } == true, "it ended as \(run.ending): \(tail)",
    sourceLocation: sourceLocation)
  #expect(
    run.peakBytes <= peakBytes, "it held \(run.peakBytes >> 20) MiB",
    sourceLocation: sourceLocation)
  for (name, bytes) in [("stdout", run.out), ("stderr", run.err)] {
    let control = firstControl(in: bytes)
    #expect(
      control == nil, "\(name) has \(control ?? "nothing")", sourceLocation: sourceLocation)
  }
}

/// The first thing in an output that acts on a terminal or is not UTF-8.
private func firstControl(in bytes: [UInt8]) -> String? {
  guard let text = String(validating: bytes, as: UTF8.self) else { return "invalid UTF-8" }
  let bad = text.unicodeScalars.first { scalar in
    switch scalar.value {
    case 0x0A: false
    case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
    default: false
    }
  }
  return bad.map { "U+" + String($0.value, radix: 16) }
}
