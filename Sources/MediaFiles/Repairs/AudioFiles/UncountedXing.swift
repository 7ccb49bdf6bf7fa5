import Bitstreams
package import Libav

/// The Xing/Info frame at the start of an MP3 that states neither a frame count nor a byte count:
/// FFmpeg then mistakes it for audio.
package enum UncountedXing {
  /// The file with that frame zeroed, so that FFmpeg skips it; `nil` for any other.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    guard let start = firstByte(of: file) else { return nil }
    let bytes = file.bytes(in: start..<start + longestFrame, atMost: Int(longestFrame))
    guard let header = MPEGAudioHeader(bytes), let count = header.byteCount,
      let info = MPEGAudioInfo(bytes[...]),
      info.frameCount ?? 0 == 0, info.byteCount ?? 0 == 0,
      // FFmpeg still reads the hidden sample counts in it.
      info.delay == nil, MPEGAudioHeader(bytes.dropFirst(count))?.sampleRate == header.sampleRate
    else { return nil }
    return OverlaidInput(file, [UInt8](repeating: 0, count: count), at: start)
  }

  /// The largest layer III frame, and the header of the next.
  private static let longestFrame: Int64 = 1441 + 4

  /// The offset after all tags (ID3v2, 3.1: the size is seven bits of each of four bytes); `nil`
  /// for what does not begin like an MP3.
  static func firstByte(of file: InputFile) -> Int64? {
    var start: Int64 = 0
    for _ in 0..<8 {
      let head = file.bytes(in: start..<start + 10, atMost: 10)
      guard head.count == 10 else { return nil }
      guard head.starts(with: "ID3".utf8) else { return head[0] == 0xFF ? start : nil }
      let size = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      // 3.4: a footer is as long as the header.
      start += 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
    }
    return nil
  }
}
