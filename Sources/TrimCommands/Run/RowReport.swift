import CommandLineKit
import MediaEngine

/// Writes one result after another in the chosen format, each as soon as it is known.
struct RowReport {
  private let console: Console
  private let page: FactsPage
  private var count = 0

  init(console: Console, page: FactsPage) {
    self.console = console
    self.page = page
  }

  mutating func add(_ outcome: ProbeOutcome) {
    let (failure, name) = (outcome.failure, outcome.input.nameBytes)
    switch page.format {
    case .lines:
      console.out.write(row(outcome))
      if console.verbosity > 0 { say(failure, name) }
    case .document where page.isSeveral:
      let lead = Array((count == 0 ? "[" : ",\n").utf8)
      console.out.write(lead + row(outcome).dropLast())
      say(failure, name)
    case .document:
      console.out.write(row(outcome))
      say(failure, name)
    case .screen:
      if case .success(let reported) = outcome.result {
        // An empty line between two pages; a check is a single line.
        let lead = count == 0 || page.content == .check ? [] : [UInt8(ascii: "\n")]
        console.out.write(lead + reported.bytes)
      }
      say(failure, name)
    }
    if page.format != .screen || failure == nil { count += 1 }
  }

  private func row(_ outcome: ProbeOutcome) -> [UInt8] {
    let bytes =
      switch outcome.result {
      case .success(let reported): reported.bytes
      case .failure(let error): page.row(error, of: outcome.input)
      }
    return outcome.cost.map { page.row(bytes, adding: $0) } ?? bytes
  }

  func finish() {
    guard page.format == .document, page.isSeveral else { return }
    console.out.write(count == 0 ? "[]\n" : "]\n")
  }

  private func say(_ failure: MediaError?, _ name: [UInt8]) {
    guard let failure, failure.code != .cancelled else { return }
    console.error(
      "\(console.shownOnErr(name)): \(console.shownOnErr(failure.message))",
      hint: failure.adviceOfProbe.map { console.shownOnErr($0) })
  }
}
