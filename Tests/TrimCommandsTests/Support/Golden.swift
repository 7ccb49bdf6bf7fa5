import FoundationEssentials
import Testing

/// Compares text with the file of that name beside the tests.
///
/// With `TRIM_RECORD=1` the file is written instead, and the test fails: a recording is no proof.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden")
  let file = folder.appending(path: name)
  if ProcessInfo.processInfo.environment["TRIM_RECORD"] == "1" {
    try Data(text.utf8).write(to: file)
    Issue.record("recorded \(name); run again without TRIM_RECORD", sourceLocation: sourceLocation)
    return
  }
  let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  guard text != expected else { return }
  let lines = zip(
    text.split(separator: "\n", omittingEmptySubsequences: false),
    expected.split(separator: "\n", omittingEmptySubsequences: false))
  let difference = lines.enumerated().first { $0.element.0 != $0.element.1 }
  let place = difference.map { line in
    "line \(line.offset + 1):\n  is       \(line.element.0)\n  expected \(line.element.1)"
  }
  Issue.record(
    "\(name) differs at \(place ?? "its end")\n\(text)", sourceLocation: sourceLocation)
}
