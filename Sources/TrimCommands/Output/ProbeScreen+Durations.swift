import CommandLineKit
import ExactTime
import MediaFacts

extension ProbeScreen {
  /// Adds the durations side by side if they disagree, otherwise one sentence.
  func addDurations(to sheet: inout Sheet) {
    let known = DurationKind.allCases.compactMap { kind in
      facts.durations[kind].map { (kind: kind, fact: $0) }
    }
    guard let first = known.first else { return }
    sheet.heading("Durations")
    guard known.contains(where: { $0.fact.length != first.fact.length }) else {
      let names = known.map(\.kind.rawValue).joined(separator: ", ")
      sheet.line(
        known.count == 1 ? "only \(names) is known" : "all agree: \(names)", indent: 2)
      return
    }
    sheet.table(
      known.map { kind, fact in
        let isAnswer = kind == .presented
        return [
          .init(kind.rawValue, isAnswer ? .strong : .plain),
          .init(DecimalText.fixed(fact.length.seconds, places: 3) + " s", right: true),
          .init(difference(fact), right: true),
          .init(source(fact, asTrack: kind != .declared), .dim),
        ]
      })
  }

  /// How much longer than the presented duration this one is.
  private func difference(_ fact: DurationFact) -> String {
    guard let presented = facts.durations.presented?.length,
      let more = try? fact.length.subtracting(presented), more != .zero
    else { return "" }
    let text = DecimalText.fixed(more.seconds, places: 3)
    if text == "0.000" { return more.isNegative ? "-<0.001 s" : "+<0.001 s" }
    return (more.isNegative ? "" : "+") + text + " s"
  }

  private func source(_ fact: DurationFact, asTrack: Bool) -> String {
    let place =
      switch fact.source {
      case .containerHeader: "container header"
      case .trackHeader: "track header"
      case .sampleTable: "sample table"
      case .packets: "scan of all packets"
      case .frames: "full decode"
      case .estimate: "estimate"
      }
    return asTrack ? place + (fact.trackID.map { ", track \($0)" } ?? "") : place
  }
}
