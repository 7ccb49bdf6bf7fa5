/// The frame at the start of an MP3 with information instead of audio: Xing (`Info` for constant bit rate),
/// with LAME's extension, or VBRI.
package struct MPEGAudioInfo: Hashable {
  /// Number of audio frames, not including this one.
  package var frameCount: Int?
  /// Size of the stream in bytes.
  package var byteCount: Int?
  /// Priming samples from the encoder, not including the decoder's delay of 529.
  package var delay: Int?
  /// Padding samples from the encoder after the audio.
  package var padding: Int?

  /// `nil` when the frame is an audio frame.
  package init?(_ frame: ArraySlice<UInt8>) {
    guard let header = MPEGAudioHeader(frame), header.layer == 3 else { return nil }
    if let info = Self(xing: frame.dropFirst(4 + header.sideInformationByteCount)) {
      self = info
    } else if let info = Self(vbri: frame.dropFirst(4 + 32)) {
      self = info
    } else {
      return nil
    }
  }

  private init?(xing bytes: ArraySlice<UInt8>) {
    guard bytes.starts(with: "Xing".utf8) || bytes.starts(with: "Info".utf8) else { return nil }
    var reader = BitReader(bytes.dropFirst(4))
    guard let flags = reader.read(32) else { return nil }
    if flags & 1 != 0 { frameCount = reader.read(32).map { Int($0) } }
    if flags & 2 != 0 { byteCount = reader.read(32).map { Int($0) } }
    if flags & 4 != 0 { reader.skip(100 * 8) }
    if flags & 8 != 0 { reader.skip(32) }
    // The encoder's name and version, then its settings; only encoders that identify themselves fill in the
    // two numbers.
    guard let name = reader.read(32), [0x4C41_4D45, 0x4C61_7666, 0x4C61_7663].contains(name),
      reader.skip(5 * 8 + 12 * 8), let delay = reader.read(12), let padding = reader.read(12)
    else { return }
    self.delay = Int(delay)
    self.padding = Int(padding)
  }

  /// The info frame with the lowest bit rate of the following frames in its tag ("Mp3 Info Tag", minimal
  /// bitrate), and before that LAME's usual ATH type, so that neither is preceded by two zero bytes.
  ///
  /// - Parameter stream: the frame and all after it.
  /// - Returns: `nil` where it is not a frame with LAME's extension.
  package static func withLowestBitRate(_ stream: ArraySlice<UInt8>) -> [UInt8]? {
    guard let header = MPEGAudioHeader(stream), let count = header.byteCount,
      MPEGAudioInfo(stream.prefix(count))?.delay != nil
    else { return nil }
    var lowest: Int?
    var rest = stream.dropFirst(count)
    while let next = MPEGAudioHeader(rest), let size = next.byteCount, let rate = next.bitRate {
      lowest = min(lowest ?? rate, rate)
      rest = rest.dropFirst(size)
    }
    // "Xing" or "Info" with all its fields, and the extension; its end is a checksum of everything before.
    let tag = 4 + header.sideInformationByteCount
    let end = tag + 154
    var frame = Array(stream.prefix(count))
    guard let lowest, end + 2 <= count else { return nil }
    frame[tag + 139] |= 4
    frame[tag + 140] = UInt8(clamping: lowest / 1000)
    let sum = Checksum.reflectedCRC16(frame[..<end])
    (frame[end], frame[end + 1]) = (UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum))
    return frame
  }

  private init?(vbri bytes: ArraySlice<UInt8>) {
    guard bytes.starts(with: "VBRI".utf8) else { return nil }
    var reader = BitReader(bytes.dropFirst(4))
    guard reader.skip(6 * 8), let size = reader.read(32), let count = reader.read(32) else {
      return nil
    }
    byteCount = Int(size)
    frameCount = Int(count)
  }
}
