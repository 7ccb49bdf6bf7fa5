/// Priming that is signaled only in the audio data.
package enum AACPriming {
  /// The priming samples of the encoder libfaac.
  ///
  /// It identifies itself in a fill element at the start of its first frame (ISO 14496-3, 4.4.1.1,
  /// ID_FIL), and the first frame is only priming: decoders drop it.
  ///
  /// - Parameter packet: a raw frame, or one with an ADTS header (ISO 14496-3, 1.A.3).
  package static func samples(inFirstPacket packet: ArraySlice<UInt8>) -> Int {
    var frame = packet.prefix(64)
    if frame.count > 9, frame[frame.startIndex] == 0xFF, frame[frame.startIndex + 1] & 0xF6 == 0xF0
    {
      let hasChecksum = frame[frame.startIndex + 1] & 1 == 0
      frame = frame.dropFirst(hasChecksum ? 9 : 7)
    }
    var reader = BitReader(frame)
    guard reader.read(3) == 6, var count = reader.read(4) else { return 0 }
    if count == 15 {
      guard let more = reader.read(8) else { return 0 }
      count = count + more - 1
    }
    guard reader.read(4) == 0, count > 8 else { return 0 }  // extension_type EXT_FILL
    reader.skip(13)
    var text: [UInt8] = []
    for _ in 0..<8 {
      guard let byte = reader.read(8) else { return 0 }
      text.append(UInt8(truncatingIfNeeded: byte))
    }
    return text == Array("libfaac ".utf8) ? 1024 : 0
  }
}
