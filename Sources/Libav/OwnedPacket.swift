import CFFmpeg

/// A packet that owns its bytes; freed with its owner.
@safe struct OwnedPacket: ~Copyable {
  let pointer: UnsafeMutablePointer<AVPacket>

  /// Creates an empty packet, to be filled by FFmpeg.
  init() throws(LibavError) {
    guard let packet = unsafe av_packet_alloc() else {
      throw LibavError(.outOfMemory, "no memory for a packet")
    }
    unsafe pointer = unsafe packet
  }

  /// Creates a packet with a copy of some bytes, padded as decoders require.
  init(_ bytes: [UInt8]) throws(LibavError) {
    let failure = LibavError(.outOfMemory, "no memory for a packet of \(bytes.count) bytes")
    guard let count = Int32(exactly: bytes.count), let packet = unsafe av_packet_alloc() else {
      throw failure
    }
    let code = unsafe av_new_packet(packet, count)
    guard code >= 0, let data = unsafe packet.pointee.data else {
      var unused: UnsafeMutablePointer<AVPacket>? = unsafe packet
      unsafe av_packet_free(&unused)
      throw failure
    }
    unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyBytes(from: bytes)
    unsafe pointer = unsafe packet
  }

  /// Its bytes, copied.
  var bytes: [UInt8] {
    unsafe Array(
      UnsafeRawBufferPointer(
        start: pointer.pointee.data, count: Int(max(0, pointer.pointee.size))))
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&packet)
  }
}
