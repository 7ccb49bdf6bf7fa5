import Bitstreams
import Libav
import MediaFacts
import MediaFiles

/// A truncated audio frame at the end of a file, in formats where FFmpeg returns nothing of an
/// incomplete frame.
struct UnfinishedFrame: PacketObserver {
  private let rules: SourceRules
  private let file: InputFile
  /// Where the latest packet ends.
  private var end: Int64?

  /// `nil` for formats whose last packet shows it.
  init?(format: String, in file: InputFile) {
    (rules, self.file) = (SourceRules(format), file)
    guard rules.dropsUnfinished else { return nil }
  }

  mutating func see(_ packet: inout PacketFacts) -> PacketStanding {
    end = packet.byteOffset.map { $0 + Int64(packet.byteCount) }
    return .counted
  }

  func finish() -> PacketFindings { PacketFindings(cutShort: frame) }

  /// What follows the last packet, if it is the beginning of a frame.
  private var frame: AudioPackets.CutShortFrame? {
    guard let end, let size = file.byteCount, end < size else { return nil }
    let head = file.bytes(in: end..<size, atMost: 32)
    let isCut =
      rules.isWavPack
      ? Self.isCutBlock(head, rest: size - end)
      : AudioFrameLength.byteCount(codec: rules.bareCodec, head).map { Int64($0) > size - end }
        ?? true
    guard isCut else { return nil }
    return AudioPackets.CutShortFrame(byteOffset: end, byteCount: Int(size - end))
  }

  /// Whether a WavPack block is truncated: it has a name, then the number of bytes after these
  /// eight.
  ///
  /// A tag may follow the last block.
  private static func isCutBlock(_ head: [UInt8], rest: Int64) -> Bool {
    let name = Array("wvpk".utf8)
    guard head.prefix(4).elementsEqual(name.prefix(head.count)) else { return false }
    guard head.count >= 8 else { return true }
    return head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } + 8 > rest
  }
}
