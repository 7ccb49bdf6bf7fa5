/// Looks for damage in MPEG audio frames: the header, the frame length, and consistency with
/// earlier headers (ISO 11172-3, 2.4.2.3).
package struct MPEGAudioInspector {
  private var first: (layer: Int, sampleRate: Int)?

  package mutating func fault(in packet: [UInt8]) -> PacketFault? {
    guard let header = MPEGAudioHeader(packet) else { return .header("it has no frame header") }
    if let first, first != (header.layer, header.sampleRate) {
      return .header("its layer or sample rate is not that of the stream")
    }
    first = (header.layer, header.sampleRate)
    if let count = header.byteCount, count > packet.count {
      return .structure("the frame is longer than its packet")
    }
    return nil
  }
}
