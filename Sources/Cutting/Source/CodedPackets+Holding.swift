import Trimming

extension ContiguousArray<CodedPacket> {
  /// Pictures last until the next one is shown; the last one as long as it says.
  mutating func holdUntilNext() {
    let shown = indices.sorted { (self[$0].pts, $0) < (self[$1].pts, $1) }
    for (place, next) in zip(shown, shown.dropFirst()) {
      let (length, overflow) = self[next].pts.subtractingReportingOverflow(self[place].pts)
      if !overflow { self[place].duration = length }
    }
  }
}
