/// Human-readable counts.
package enum CountText {
  /// `1 frame`, `2 frames`.
  package static func of(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
