import CommandLineKit
import ExactTime
import Trimming

extension LengthLimit {
  /// The verdict on a presented length in words, which do not rely on color.
  func sentence(on length: MediaDuration) -> String { words(on: length).joined() }

  /// As much of the verdict as fits without splitting a number.
  func sentence(on length: MediaDuration, cells: Int) -> String {
    var (verdict, rest) = ("", words(on: length)[...])
    while let next = rest.popFirst(), verdict.isEmpty || (verdict + next).cellWidth <= cells {
      verdict += next
    }
    return verdict
  }

  /// The verdict, the difference, and the limit.
  private func words(on length: MediaDuration) -> [String] {
    switch verdict(on: length) {
    case .valid:
      guard let maximum else { return ["OK", ": no limit"] }
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

extension TrimmingScreen.Ready {
  /// The verdict on what would be exported, shortened to fit.
  func sentence(cells: Int = .max) -> String {
    let (head, length) = judged
    return head + verdict(on: length, cells - head.count)
  }

  /// The same beside controls that change the limit: `28:59.5 over the 1:00.5 limit`, or without a
  /// limit what there is: `6 parts, 1:03 in total`.
  var sentenceBesideLimit: String {
    let (head, length) = judged
    if limit.maximum == nil, list.isSeveral, verdict == .valid, let total = list.totalLength {
      return "\(list.parts.count) parts, \(DecimalText.brief(total.seconds)) in total"
    }
    guard let length, let maximum = limit.maximum,
      case .tooLong(let excess?) = limit.verdict(on: length), excess.isPositive
    else { return sentence() }
    return head + "\(DecimalText.brief(excess.seconds)) over the "
      + "\(DecimalText.brief(maximum.seconds)) limit"
  }

  /// The length that decides, after what it is the length of.
  private var judged: (head: String, length: MediaDuration?) {
    guard list.isSeveral else { return ("", try? timeRange.checkedLength()) }
    if list.joins { return ("\(list.parts.count) parts joined: ", list.totalLength) }
    // With several files, the selected one is described, unless another one is invalid.
    let selected = try? timeRange.checkedLength()
    let isSelectedValid = selected.map(limit.isValid) ?? false
    let other = list.parts.firstIndex { part in
      !((try? part.range.checkedLength()).map(limit.isValid) ?? false)
    }
    let index = isSelectedValid ? other ?? list.selectedIndex : list.selectedIndex
    return (
      "part \(index + 1) of \(list.parts.count): ", try? list.parts[index].range.checkedLength()
    )
  }

  private func verdict(on length: MediaDuration?, _ cells: Int) -> String {
    length.map { limit.sentence(on: $0, cells: cells) } ?? "TOO LONG"
  }
}

extension LengthVerdict {
  /// The name in JSON.
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

extension LengthLimit {
  /// Whether a text means no limit.
  static func isNone(_ text: String) -> Bool { ["none", "inf"].contains(text) }
}
