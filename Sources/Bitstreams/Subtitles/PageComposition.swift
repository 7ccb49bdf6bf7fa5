/// A page composition segment of DVB subtitles, which describes the screen (ETSI EN 300 743, 7.2.2).
package struct PageComposition: Hashable, Sendable {
  /// No earlier data is needed: page_state is an acquisition point or a mode change.
  package let isComplete: Bool
  /// It removes all subtitles from the screen: it lists no regions.
  package let isEmpty: Bool
  /// The longest it stays on screen, in seconds (page_time_out).
  package let longest: Int

  /// Segments without the PES data field wrapper (6.1), which FFmpeg's demuxer leaves where two packets have
  /// the same PTS.
  package static func segments(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: [0x20, 0x00, 0x0F]), bytes.last == 0xFF else { return bytes }
    return Array(bytes[2..<bytes.count - 1])
  }

  /// `nil` if there is none among the segments.
  ///
  /// - Parameter bytes: segments (7.2), each with a byte 0x0F, a type, a page ID, a two-byte length, and a
  ///   payload of that length.
  package init?(_ bytes: some RandomAccessCollection<UInt8>) {
    var rest = bytes[...]
    while true {
      let head = Array(rest.prefix(8))
      guard head.count >= 6, head[0] == 0x0F else { return nil }
      let length = Int(head[4]) << 8 + Int(head[5])
      if head[1] == 0x10 {
        guard head.count == 8, length >= 2 else { return nil }
        longest = Int(head[6])
        isComplete = [1, 2].contains(head[7] >> 2 & 3)
        isEmpty = length == 2
        return
      }
      rest = rest.dropFirst(6 + length)
    }
  }
}
