#if FFmpeg
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
        for number in 0..<count {
          var block = packet
          block.duration = packet.duration / Int64(count)
          block.pts += Int64(number) * block.duration
          block.dts = block.pts
          block.byteCount = size
          block.payload = .made(try spool.add(Array(bytes[number * size..<(number + 1) * size])))
          block.isRenumbered = true
          result.append(block)
        }
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
  }
#endif
