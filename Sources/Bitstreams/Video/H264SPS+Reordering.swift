extension H264SPS {
  /// The same set with max_num_reorder_frames stated.
  ///
  /// Without it, a decoder has to assume the most that the level allows (E.2.1, max_num_reorder_frames).
  /// FFmpeg's decoder assumes what it has seen: after a stretch without reordering, it drops a picture where
  /// reordering starts. Everything else is set to its inferred value.
  ///
  /// - Returns: `nil` where the set already states it, or is not understood.
  package func statingReordering(of frames: Int) -> [UInt8]? {
    guard let usabilityPosition, let buffered = mostBufferedFrames,
      VideoHeader(h264SPS: unit[...])?.maxReorderFrames == nil
    else { return nil }
    let payload = NALEscaping.unescaped(unit[1...])
    // The flag before the stop bit signals that nothing follows: no VUI, or no bitstream restrictions.
    let flag = SyntaxReader.stopBit(of: payload) - 1
    guard flag >= usabilityPosition, payload[flag / 8] & 0x80 >> UInt8(flag % 8) == 0 else {
      return nil
    }
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: flag)
    if flag == usabilityPosition {
      writer.flag(true)
      // Aspect ratio, overscan, signal type, chroma, timing, two buffer models, picture structure.
      writer.write(0, bits: 8)
    }
    writer.flag(true)
    writer.flag(true)  // motion_vectors_over_pic_boundaries_flag
    for value in [2, 1, 15, 15, UInt32(min(frames, buffered)), UInt32(buffered)] {
      writer.exponentialGolomb(value)
    }
    writer.finish()
    return unit[..<1] + NALEscaping.escaped(writer.bytes)
  }

  /// The same set with a max_num_reorder_frames of at least this number.
  ///
  /// - Returns: `nil` where it is already that high, or is not understood.
  package func waiting(for frames: Int) -> [UInt8]? {
    guard VideoHeader(h264SPS: unit[...])?.maxReorderFrames != nil else {
      return statingReordering(of: frames)
    }
    let payload = NALEscaping.unescaped(unit[1...])
    var reader = BitReader(payload)
    var usability = VideoHeader()
    guard let usabilityPosition, reader.skip(usabilityPosition + 1) else { return nil }
    usability.readVUI(&reader, isHEVC: false)
    // It is the last value read, and max_dec_frame_buffering follows.
    let end = reader.position
    guard let stated = usability.maxReorderFrames, stated < frames,
      let buffered = reader.exponentialGolomb()
    else { return nil }
    var code = BitWriter()
    code.exponentialGolomb(UInt32(stated))
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: end - code.count)
    writer.exponentialGolomb(UInt32(frames))
    writer.exponentialGolomb(max(buffered, UInt32(frames)))
    writer.finish()
    return unit[..<1] + NALEscaping.escaped(writer.bytes)
  }

  /// MaxDpbFrames (A.3.1, table A-1): the value of max_dec_frame_buffering where not stated.
  private var mostBufferedFrames: Int? {
    guard frameBlocks > 0 else { return nil }
    let blocks: Int
    switch level {
    case ...10: blocks = 396
    case 11: blocks = isLevelOneB ? 396 : 900
    case 12...20: blocks = 2376
    case 21: blocks = 4752
    case 22...30: blocks = 8100
    case 31: blocks = 18_000
    case 32: blocks = 20_480
    case 40, 41: blocks = 32_768
    case 42: blocks = 34_816
    case 50: blocks = 110_400
    case 51, 52: blocks = 184_320
    default: blocks = 696_320
    }
    return max(min(blocks / frameBlocks, 16), Int(min(referenceFrames, 16)))
  }
}
