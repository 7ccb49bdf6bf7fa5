extension VorbisPacket {
  /// An audio packet begins with a 0 bit (Vorbis I, 4.3.1); an empty one is silence.
  package static func fault(in packet: [UInt8]) -> PacketFault? {
    guard let first = packet.first else { return nil }
    return first & 1 == 0 ? nil : .header("it is not an audio packet")
  }
}

extension ProResHeader {
  /// The frame is preceded by its size (SMPTE RDD 36, 5.1).
  package static func fault(in sample: [UInt8]) -> PacketFault? {
    guard sample.count >= 8, sample[4..<8].elementsEqual(Array("icpf".utf8)) else {
      return .header("it does not begin with a frame")
    }
    let size = sample[0..<4].reduce(0) { $0 << 8 | Int($1) }
    return size <= sample.count ? nil : .structure("the frame is longer than its sample")
  }
}
