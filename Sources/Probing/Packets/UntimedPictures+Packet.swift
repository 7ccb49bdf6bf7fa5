package import Bitstreams
package import Libav

extension UntimedPictures {
  /// Adds the packet that was read last.
  ///
  /// - Returns: its position among the pictures, as one number.
  package mutating func add(_ packet: PacketFacts, _ demuxer: borrowing Demuxer) -> Int64? {
    add(
      pts: packet.pts, duration: packet.duration, isStated: packet.byteOffset != nil
    ) { most in
      demuxer.withPacketBytes { Array($0.prefix(most)) }
    }
    return newestOrder
  }
}
