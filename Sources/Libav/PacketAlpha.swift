import CFFmpeg

/// The ID of the alpha channel of VP8 and VP9, which is the luma of a second picture stored with
/// each picture: in Matroska a BlockAdditional of ID 1 (Codec Mappings, BlockAdditionMapping of
/// type 1).
private let alphaID: UInt64 = 1

extension Demuxer {
  /// The alpha channel of the packet that was read last; `nil` where it has none.
  package var packetAlpha: [UInt8]? {
    var size = 0
    guard
      let data = unsafe av_packet_get_side_data(
        lastPacket, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size), size > 8
    else { return nil }
    // The eight-byte ID of the addition comes first (libavcodec/packet.h).
    let raw = unsafe UnsafeRawBufferPointer(start: data, count: size)
    guard unsafe UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)) == alphaID else {
      return nil
    }
    return unsafe Array(raw.dropFirst(8))
  }
}

extension OwnedPacket {
  func setAlpha(_ bytes: [UInt8]) throws(LibavError) {
    let count = bytes.count + 8
    guard
      let data = unsafe av_packet_new_side_data(
        pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, count)
    else { throw LibavError(.outOfMemory, "no memory for a packet of \(count) bytes") }
    let raw = unsafe UnsafeMutableRawBufferPointer(start: data, count: count)
    unsafe raw.storeBytes(of: alphaID.bigEndian, as: UInt64.self)
    unsafe UnsafeMutableRawBufferPointer(rebasing: raw[8...]).copyBytes(from: bytes)
  }
}
