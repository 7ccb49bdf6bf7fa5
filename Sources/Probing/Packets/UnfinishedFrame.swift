#if FFmpeg
  import Bitstreams
  import Libav
  import MediaFiles

  /// The beginning of a frame of sound at the end of a file, in formats where FFmpeg hands out nothing of
  /// a frame that is not all there.
  struct UnfinishedFrame {
    private let format: String
    /// Where the newest packet ends.
    private var end: Int64?

    /// `nil` for formats whose last packet tells itself.
    init?(format: String) {
      guard ["wv", "mlp", "truehd"].contains(format) else { return nil }
      self.format = format
    }

    mutating func add(_ packet: PacketFacts) {
      end = packet.byteOffset.map { $0 + Int64(packet.byteCount) }
    }

    /// What stands behind the last packet, if it is a frame's beginning.
    func frame(in file: InputFile) -> SoundPackets.CutShortFrame? {
      guard let end, let size = file.byteCount, end < size else { return nil }
      let head = file.bytes(in: end..<size, atMost: 32)
      let isCut =
        switch format {
        case "wv": Self.isCutBlock(head, rest: size - end)
        default:
          AudioFrameLength.byteCount(codec: format, head).map { Int64($0) > size - end } ?? true
        }
      guard isCut else { return nil }
      return SoundPackets.CutShortFrame(byteOffset: end, byteCount: Int(size - end))
    }

    /// A block of WavPack: its name, then how many bytes follow these eight.
    ///
    /// A tag may stand behind the last one.
    private static func isCutBlock(_ head: [UInt8], rest: Int64) -> Bool {
      let name = Array("wvpk".utf8)
      guard head.prefix(4).elementsEqual(name.prefix(head.count)) else { return false }
      guard head.count >= 8 else { return true }
      return head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } + 8 > rest
    }
  }
#endif
