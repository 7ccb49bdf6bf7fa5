import CFFmpeg

extension Demuxer {
  /// Ends an ADPCM packet after its first block; the others are returned one by one after it.
  ///
  /// FFmpeg reads WAV in packets of 4 KiB, which contain several independently decodable blocks:
  /// cuts at packets would be off by up to a quarter of a second.
  mutating func endWithFirstBlock(
    _ packet: UnsafeMutablePointer<AVPacket>, of track: LibavTrack
  ) {
    guard readsBlocks, ["wav", "w64"].contains(formatName), track.codec.hasPrefix("adpcm_"),
      track.blockByteCount > 0
    else { return }
    let (size, length) = unsafe (Int(packet.pointee.size), packet.pointee.duration)
    let count = size / track.blockByteCount
    guard count > 1, size % track.blockByteCount == 0, length > 0, length % Int64(count) == 0
    else { return }
    unsafe packet.pointee.size = Int32(track.blockByteCount)
    unsafe packet.pointee.duration = length / Int64(count)
    blocksLeft = count - 1
  }

  /// Advances the packet to the next block in the same buffer.
  mutating func stepToNextBlock(of packet: UnsafeMutablePointer<AVPacket>) {
    blocksLeft -= 1
    let size = unsafe packet.pointee.size
    unsafe packet.pointee.data += Int(size)
    if unsafe packet.pointee.pos >= 0 { unsafe packet.pointee.pos += Int64(size) }
    let length = unsafe packet.pointee.duration
    if unsafe packet.pointee.pts != trim_NOPTS { unsafe packet.pointee.pts &+= length }
    if unsafe packet.pointee.dts != trim_NOPTS { unsafe packet.pointee.dts &+= length }
  }
}
