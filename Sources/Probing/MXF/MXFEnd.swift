import Libav
import MediaFacts
import MediaFiles

/// Marks a picture of MXF inside which the file ends: the length of its KLV (SMPTE ST 377-1, 6.3)
/// extends beyond the file.
///
/// FFmpeg flags it only where no parser is between its demuxer and the packet.
struct MXFEnd: PacketObserver {
  private let file: InputFile
  private let byteCount: Int64
  /// Where the latest KLV ends whose value begins with a packet, by stream, and that packet's
  /// size.
  private var ends = PerStream<Int64>()
  private var sizes = PerStream<Int>()

  /// `nil` for other formats.
  init?(format: String, _ file: InputFile) {
    guard SourceRules(format).isMXF, let byteCount = file.byteCount else { return nil }
    (self.file, self.byteCount) = (file, byteCount)
  }

  mutating func see(_ packet: inout PacketFacts) -> PacketStanding {
    if isCutShort(packet) { packet.isCorrupt = true }
    return .counted
  }

  private mutating func isCutShort(_ packet: PacketFacts) -> Bool {
    defer { sizes[packet.stream] = packet.byteCount }
    guard let start = packet.byteOffset else { return false }
    // The only packet of a clip-wrapped stream that a KLV begins with is its first one.
    let isFirst = ends[packet.stream] == nil
    let isLast = start &+ Int64(packet.byteCount) >= byteCount
    guard isFirst || isLast else { return false }
    if let end = end(ofValueAt: start) { ends[packet.stream] = end }
    guard isLast, let end = ends[packet.stream], end > byteCount else { return false }
    // The file may end exactly between two pictures of one size.
    return sizes[packet.stream] != packet.byteCount
  }

  /// Where the KLV ends whose value begins at an offset: a key of 16 bytes and a length of up to
  /// nine precede it.
  private func end(ofValueAt place: Int64) -> Int64? {
    let head = file.bytes(in: max(0, place - 25)..<max(0, place), atMost: 25)
    for length in 1...9 where head.count >= 16 + length {
      let field = Array(head.suffix(length))
      let key = head.dropLast(length).suffix(16)
      guard key.starts(with: [0x06, 0x0E, 0x2B, 0x34]) else { continue }
      // BER: one byte, or a byte with the number of those that follow.
      let isShort = length == 1 && field[0] < 0x80
      guard isShort || length > 1 && field[0] == 0x80 | UInt8(length - 1) else { continue }
      let value = (isShort ? field[...] : field[1...]).reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      guard let count = Int64(exactly: value),
        case (let end, let overflow) = place.addingReportingOverflow(count), !overflow
      else { return nil }
      return end
    }
    return nil
  }
}
