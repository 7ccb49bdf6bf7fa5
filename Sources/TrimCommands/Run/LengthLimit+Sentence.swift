import CommandLineKit
import ExactTime
import Trimming

extension LengthLimit {
  /// The verdict on a presented length in words, which say the same without colour.
  func sentence(on length: MediaDuration) -> String { words(on: length).joined() }

  /// As much of the verdict as fits whole: half a number would be another one.
  func sentence(on length: MediaDuration, cells: Int) -> String {
    var (verdict, rest) = ("", words(on: length)[...])
    while let next = rest.popFirst(), verdict.isEmpty || (verdict + next).cellWidth <= cells {
      verdict += next
    }
    return verdict
  }

  /// The verdict, by how much, and the limit.
  private func words(on length: MediaDuration) -> [String] {
    switch verdict(on: length) {
    case .valid:
      guard let maximum else { return ["OK"] }
      let left = (try? maximum.subtracting(length)).map { ", \(Self.amount($0)) left" } ?? ""
      return ["OK", ": under \(Self.bound(maximum))", left]
    case .tooLong(let excess?) where excess == .zero:
      return ["TOO LONG", ": exactly the limit", mustBeUnder]
    case .tooLong(let excess):
      return ["TOO LONG", excess.map { " by \(Self.amount($0))" } ?? "", mustBeUnder]
    case .tooShort(let lack):
      return [
        "TOO SHORT", lack.map { " by \(Self.amount($0))" } ?? "",
        " (must be at least \(Self.bound(minimum)))",
      ]
    case .empty:
      return ["EMPTY", ": nothing is presented"]
    }
  }

  private var mustBeUnder: String {
    maximum.map { " (must be under \(Self.bound($0)))" } ?? ""
  }

  private static func bound(_ length: MediaDuration) -> String {
    "\(DecimalText.shortest(length.seconds)) s"
  }

  /// An amount above zero is never shown as zero.
  private static func amount(_ length: MediaDuration) -> String {
    let text = DecimalText.fixed(length.seconds, places: 3)
    return length.isPositive && text == "0.000" ? "less than 0.001 s" : "\(text) s"
  }
}

extension LengthLimit {
  func sentence(of ready: TrimmingScreen.Ready) -> String { sentence(of: ready, cells: .max) }

  /// Shorter where it would not fit.
  func sentence(of ready: TrimmingScreen.Ready, cells: Int) -> String {
    (try? ready.timeRange.checkedLength()).map { sentence(on: $0, cells: cells) } ?? "TOO LONG"
  }
}

extension LengthVerdict {
  /// As JSON spells it.
  var identifier: String {
    switch self {
    case .valid: "valid"
    case .tooLong: "too_long"
    case .tooShort: "too_short"
    case .empty: "empty"
    }
  }

  /// The distance from the limit; `nil` for a valid length.
  var distance: MediaDuration? {
    switch self {
    case .tooLong(let length), .tooShort(let length): length
    case .valid, .empty: nil
    }
  }
}
