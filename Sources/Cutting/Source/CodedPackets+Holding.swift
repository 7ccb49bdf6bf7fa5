import Probing
import Trimming

extension ContiguousArray<CodedPacket> {
  /// Pictures last until the next one is shown; the last one as long as it says.
  mutating func holdUntilNext() {
    var shown = ContiguousArray<Int>(indices)
    shown.sortNearlySorted { self[$0].pts < self[$1].pts }
    for (place, next) in zip(shown, shown.dropFirst()) {
      let (length, overflow) = self[next].pts.subtractingReportingOverflow(self[place].pts)
      if !overflow { self[place].duration = length }
    }
  }
}
