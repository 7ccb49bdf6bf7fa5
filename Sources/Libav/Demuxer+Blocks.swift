import CFFmpeg
import MediaFacts

/// Audio that is stored in blocks of one size, of which FFmpeg reads many at once.
struct AudioBlocks {
  /// The size in bytes of a block, all channels together; zero where it is unknown.
  let byteCount: Int
  let isPCM: Bool
  /// Whether FFmpeg's packets have several blocks that can be decoded one by one.
  let isADPCMInWAV: Bool

  /// `nil` for other audio.
  init?(_ track: LibavTrack, format: String) {
    let codec = track.codec
    // Packets from discs begin with a header.
    isPCM = codec.isPCM && !codec.isOne(of: .pcmDVD, .pcmBluRay)
    // What a transport stream marks as corrupt has a different meaning.
    guard track.kind == .audio, format != "mpegts", isPCM || codec.isADPCM else { return nil }
    byteCount = track.blockByteCount
    isADPCMInWAV = codec.isADPCM && ["wav", "w64"].contains(format)
  }
}

extension Demuxer {
  /// Ends an ADPCM packet after its first block; the others are returned one by one after it.
  ///
  /// FFmpeg reads WAV in packets of 4 KiB, which contain several independently decodable blocks:
  /// cuts at packets would be off by up to a quarter of a second.
  mutating func endWithFirstBlock(
    _ packet: UnsafeMutablePointer<AVPacket>, _ blocks: AudioBlocks
  ) {
    guard readsBlocks, blocks.isADPCMInWAV, blocks.byteCount > 0 else { return }
    let (size, length) = unsafe (Int(packet.pointee.size), packet.pointee.duration)
    let count = size / blocks.byteCount
    guard count > 1, size % blocks.byteCount == 0, length > 0, length % Int64(count) == 0
    else { return }
    unsafe packet.pointee.size = Int32(blocks.byteCount)
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

  /// Ends a packet of audio stored in fixed-size blocks after its last whole block, which for PCM
  /// is the last whole sample.
  ///
  /// FFmpeg reads many blocks at once and marks the packet as corrupt where the file ends before
  /// that (`av_get_packet`). The blocks read are intact: only the last one may be truncated.
  ///
  /// - Returns: the bytes after the last whole block; zero where the packet is unchanged.
  mutating func endWithWholeBlock(
    _ packet: UnsafeMutablePointer<AVPacket>, _ blocks: AudioBlocks
  ) -> Int {
    let rest = unsafe Int(packet.pointee.size) % max(1, blocks.byteCount)
    let isMarked = unsafe packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
    guard isMarked || rest > 0 && blocks.isPCM else { return 0 }
    // A packet may be smaller than its buffer (libavcodec/packet.h).
    unsafe packet.pointee.size -= Int32(rest)
    unsafe packet.pointee.flags &= ~AV_PKT_FLAG_CORRUPT
    return rest
  }
}
