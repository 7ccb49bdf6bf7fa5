/// What a presentation composition segment of Blu-ray's subtitles (PGS) says of the screen: it is the first of the
/// segments that change it together (US 2009/0185789 A1, presentation_composition_segment).
package struct PresentationComposition: Hashable, Sendable {
  /// Nothing that was read before is needed: the composition begins an epoch, or can be entered (composition_state).
  package let isComplete: Bool
  /// It takes all subtitles off the screen: it has no objects.
  package let isEmpty: Bool

  /// `nil` where another segment stands first.
  ///
  /// - Parameter bytes: of a segment or more: a type, a length of two bytes, a payload.
  package init?(_ bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(14))
    guard head.count == 14, head[0] == 0x16 else { return nil }
    let state = head[10] & 0xC0
    isComplete = state == 0x80 || state == 0x40
    isEmpty = head[13] == 0
  }

  /// Whether the last of some segments is the end of a display set.
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
