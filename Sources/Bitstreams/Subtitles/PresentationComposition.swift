/// A presentation composition segment of Blu-ray subtitles (PGS), which describes the screen: the first
/// segment of a display set (US 2009/0185789 A1, presentation_composition_segment).
package struct PresentationComposition: Hashable, Sendable {
  /// No earlier data is needed: the composition starts an epoch, or is an acquisition point
  /// (composition_state).
  package let isComplete: Bool
  /// It removes all subtitles from the screen: it has no objects.
  package let isEmpty: Bool

  /// `nil` where another segment comes first.
  ///
  /// - Parameter bytes: one or more segments, each with a type, a two-byte length and a payload.
  package init?(_ bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(14))
    guard head.count == 14, head[0] == 0x16 else { return nil }
    let state = head[10] & 0xC0
    isComplete = state == 0x80 || state == 0x40
    isEmpty = head[13] == 0
  }

  /// Whether the last segment is the end of a display set.
  package static func ends(with bytes: some RandomAccessCollection<UInt8>) -> Bool {
    var (rest, type) = (bytes[...], UInt8(0))
    while rest.count >= 3 {
      let head = Array(rest.prefix(3))
      type = head[0]
      rest = rest.dropFirst(3 + Int(head[1]) << 8 + Int(head[2]))
    }
    return type == 0x80
  }
}
