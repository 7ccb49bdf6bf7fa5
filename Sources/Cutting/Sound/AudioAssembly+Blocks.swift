#if FFmpeg
  import Bitstreams
  import MediaFacts
  import Trimming

  extension AudioAssembly {
    /// The blocks of packets that hold several, a packet each; those of which nothing is heard are left
    /// out.
    ///
    /// FFmpeg leaves what is to be hidden of a packet out of every block that it decodes of it.
    func blocks(
      of packets: ContiguousArray<OutputPacket>, _ size: Int, _ cut: inout AudioCut
    ) throws(CutError) -> ContiguousArray<OutputPacket> {
      var result: ContiguousArray<OutputPacket> = []
      try source.prepare([index: [cut.copied]])
      for packet in packets {
        let count = packet.byteCount / size
        // Ticks of Matroska are no samples, and a file may end within a block.
        guard count > 1, packet.byteCount % size == 0, packet.duration % Int64(count) == 0 else {
          result.append(packet)
          continue
        }
        let bytes = try packet.bytes(of: source, track: index, spool)
        result += try parts(of: packet, bytes, Array(repeating: size, count: count))
      }
      while result.count > 1, let first = result.first, first.duration <= cut.hiddenStart {
        cut.hiddenStart -= first.duration
        result.removeFirst()
      }
      while result.count > 1, let last = result.last, last.duration <= cut.hiddenEnd {
        cut.hiddenEnd -= last.duration
        result.removeLast()
      }
      return result
    }

    /// The frames of AMR that packets hold several of, a packet each: all last as long.
    func frames(
      of packets: ContiguousArray<OutputPacket>, _ cut: AudioCut
    ) throws(CutError) -> ContiguousArray<OutputPacket> {
      var result: ContiguousArray<OutputPacket> = []
      try source.prepare([index: [cut.copied]])
      for packet in packets {
        let bytes = try packet.bytes(of: source, track: index, spool)
        var (sizes, next) = ([Int](), 0)
        while next < bytes.count,
          let size = AudioFrameLength.byteCount(
            codec: source.tracks[index].facts.codec, bytes[next...])
        {
          sizes.append(size)
          next += size
        }
        let isWhole =
          next == bytes.count && sizes.count > 1 && packet.duration % Int64(sizes.count) == 0
        result += isWhole ? try parts(of: packet, bytes, sizes) : [packet]
      }
      return result
    }

    /// What a packet holds, by sizes that add up to its own.
    private func parts(
      of packet: OutputPacket, _ bytes: [UInt8], _ sizes: [Int]
    ) throws(CutError) -> ContiguousArray<OutputPacket> {
      var (result, next) = (ContiguousArray<OutputPacket>(), 0)
      for (number, size) in sizes.enumerated() {
        var part = packet
        part.duration = packet.duration / Int64(sizes.count)
        part.pts += Int64(number) * part.duration
        part.dts = part.pts
        part.byteCount = size
        part.payload = .made(try spool.add(Array(bytes[next..<next + size])))
        part.isRenumbered = true
        result.append(part)
        next += size
      }
      return result
    }
  }
#endif
