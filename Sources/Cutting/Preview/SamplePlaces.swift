import MediaFiles

/// The packet and byte range of each sample of a track; samples must be requested in order.
struct SamplePlaces {
  private let packets: ContiguousArray<OutputPacket>
  /// The number of samples each packet is written as.
  private let counts: [Int]
  private var packet = 0
  /// The first sample of that packet.
  private var first = 0

  init(_ track: OutputTrack, of source: any CutSource) {
    packets = track.packets
    let size = PacketSamples.size(of: track, in: source)
    counts = track.packets.map { PacketSamples.count($0, ofSize: size) }
  }

  /// - Parameter body: receives each packet, and the byte range of the samples in it.
  mutating func forEach(
    in samples: Range<Int>, _ body: (OutputPacket, Range<Int>) throws(MediaError) -> Void
  ) throws(MediaError) {
    var next = samples.lowerBound
    while next < samples.upperBound {
      while packet < counts.count, first + counts[packet] <= next {
        first += counts[packet]
        packet += 1
      }
      guard packet < counts.count else {
        throw MediaError(.internalError, "a sample is not in any packet")
      }
      let size = packets[packet].byteCount / counts[packet]
      let last = min(samples.upperBound, first + counts[packet])
      try body(packets[packet], (next - first) * size..<(last - first) * size)
      next = last
    }
  }
}
