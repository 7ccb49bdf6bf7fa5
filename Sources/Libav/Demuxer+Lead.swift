import CFFmpeg

extension Demuxer {
  /// Drops leading bytes of the packet that was read last.
  package mutating func dropLead(_ count: Int, _ facts: inout PacketFacts) {
    let packet = unsafe lastPacket
    guard count > 0, unsafe count < Int(packet.pointee.size) else { return }
    unsafe packet.pointee.data += count
    unsafe packet.pointee.size -= Int32(count)
    if unsafe packet.pointee.pos >= 0 { unsafe packet.pointee.pos += Int64(count) }
    facts.byteCount -= count
    facts.byteOffset? += Int64(count)
  }
}
