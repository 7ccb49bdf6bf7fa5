import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

extension AudioAssembly {
  /// Splits packets of several blocks into one packet per block, without those that are not
  /// heard.
  ///
  /// FFmpeg discards the hidden part of a packet from each block that it decodes from the packet.
  func blocks(
    of packets: ContiguousArray<OutputPacket>, _ size: Int, _ cut: inout AudioCut
  ) throws(MediaError) -> ContiguousArray<OutputPacket> {
    var result: ContiguousArray<OutputPacket> = []
    for packet in packets {
      let count = packet.byteCount / size
      // Matroska's ticks are not samples, and a file may end within a block.
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

  /// Splits packets of several AMR frames into one packet per frame; all have the same duration.
  func frames(
    of packets: ContiguousArray<OutputPacket>, _ cut: AudioCut
  ) throws(MediaError) -> ContiguousArray<OutputPacket> {
    var result: ContiguousArray<OutputPacket> = []
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

  /// Splits a packet into parts of the given sizes, which add up to its own.
  private func parts(
    of packet: OutputPacket, _ bytes: [UInt8], _ sizes: [Int]
  ) throws(MediaError) -> ContiguousArray<OutputPacket> {
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
