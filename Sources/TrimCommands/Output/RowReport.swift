import CommandLineKit
import MediaEngine

/// Writes one result after the other in the chosen format, each as soon as it is known.
struct RowReport {
  private let console: Console
  private let format: OutputFormat
  private let isSeveral: Bool
  private var count = 0

  init(console: Console, format: OutputFormat, isSeveral: Bool) {
    self.console = console
    self.format = format
    self.isSeveral = isSeveral
  }

  /// - Parameters:
  ///   - isBrief: no empty line between the texts of two files.
  ///   - screen: the text for people; asked for only where it is shown.
  mutating func add(
    _ row: @autoclosure () -> JSONValue, failure: ProbeError?, name: [UInt8],
    isBrief: Bool = false, screen: (StreamTraits) -> String
  ) {
    switch format {
    case .lines:
      console.out.write(JSONWriter.write(row(), .line))
      if console.verbosity > 0 { say(failure, name) }
    case .document where isSeveral:
      let lead = Array((count == 0 ? "[" : ",\n").utf8)
      console.out.write(lead + JSONWriter.write(row(), .line).dropLast())
      say(failure, name)
    case .document:
      console.out.write(JSONWriter.write(row(), .indented))
      say(failure, name)
    case .screen:
      if failure == nil {
        console.out.write((count == 0 || isBrief ? "" : "\n") + screen(console.outTraits))
      }
      say(failure, name)
    }
    if format != .screen || failure == nil { count += 1 }
  }

  func finish() {
    guard format == .document, isSeveral else { return }
    console.out.write(count == 0 ? "[]\n" : "]\n")
  }

  private func say(_ failure: ProbeError?, _ name: [UInt8]) {
    guard let failure, failure.code != .cancelled else { return }
    console.error(
      "\(console.shownOnErr(name)): \(console.shownOnErr(failure.message))",
      hint: failure.advice.map { console.shownOnErr($0) })
  }
}
