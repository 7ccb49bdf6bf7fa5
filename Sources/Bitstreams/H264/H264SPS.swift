/// The parts of a sequence parameter set that slice syntax depends on (ITU-T H.264, 7.3.2.1.1).
package struct H264SPS {
  /// The whole unit, as stored in the stream.
  package var unit: [UInt8]
  package var profile: UInt32 = 0
  /// The constraint_set flags, the first of them in the highest bit.
  package private(set) var constraints: UInt32 = 0
  /// level_idc: ten times the level.
  package private(set) var level: UInt32 = 0
  package var id: UInt32 = 0
  package var chromaFormat: UInt32 = 1
  package var hasSeparatePlanes = false
  /// bit_depth_luma_minus8.
  package private(set) var lumaDepth: UInt32 = 0
  /// Macroblocks with a quantizer of zero are coded losslessly (7.4.2.1.1,
  /// qpprime_y_zero_transform_bypass_flag).
  package var bypassesTransforms = false
  package var hasScalingMatrix = false
  package var frameNumberBits = 4
  package var orderType: UInt32 = 0
  package var orderBits = 4
  package var isOrderDeltaZero = false
  /// For POC type 1 (8.2.1.2): the offsets for non-reference pictures, for bottom fields, and from one
  /// reference picture to the next.
  package var unreferencedOffset: Int32 = 0
  package var bottomOffset: Int32 = 0
  package var orderCycle: [Int32] = []
  package var referenceFrames: UInt32 = 0
  package var allowsGaps = false
  package var onlyFrames = true
  package var isAdaptive = false
  /// Whether cropping removes more lines or columns than macroblock padding (7.4.2.1.1).
  package private(set) var cropsMoreThanPadding = false
  /// The size in pixels, cropped; `nil` where it is not understood.
  package private(set) var size: (width: Int, height: Int)?
  /// The number of macroblocks in a frame.
  package private(set) var frameBlocks = 0
  /// The bit position of gaps_in_frame_num_value_allowed_flag in the unescaped payload.
  private var gapsPosition = 0
  /// The bit position of vui_parameters_present_flag; `nil` where the syntax before it is not understood.
  package private(set) var usabilityPosition: Int?
  /// As far as it is understood; `nil` where there is none.
  package private(set) var usability: VideoUsability?
  /// The bit position behind max_num_reorder_frames, where that is stated.
  private(set) var reorderingEnd = 0

  private static let highProfiles: Set<UInt32> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  package init?(_ unit: [UInt8]) {
    guard unit.count > 4 else { return nil }
    self.unit = unit
    var reader = SyntaxReader(NALEscaping.unescaped(unit[1...]))
    do {
      try read(&reader)
    } catch {
      return nil
    }
  }

  private mutating func read(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    profile = try reader.bits(8)
    constraints = try reader.bits(8)
    level = try reader.bits(8)
    id = try reader.unsigned()
    if Self.highProfiles.contains(profile) {
      chromaFormat = try reader.unsigned()
      if chromaFormat == 3 { hasSeparatePlanes = try reader.flag() }
      lumaDepth = try reader.unsigned()
      _ = try reader.unsigned()
      bypassesTransforms = try reader.flag()
      hasScalingMatrix = try reader.flag()
      if hasScalingMatrix {
        try Self.skipScalingLists(&reader, count: chromaFormat == 3 ? 12 : 8)
      }
    }
    frameNumberBits = Int(try reader.unsigned(upTo: 12)) + 4
    orderType = try reader.unsigned(upTo: 2)
    try readOrder(&reader)
    referenceFrames = try reader.unsigned()
    gapsPosition = reader.position
    allowsGaps = try reader.flag()
    let (width, height) = try (reader.unsigned(), reader.unsigned())
    onlyFrames = try reader.flag()
    // What follows may be missing.
    try? readShape(&reader, width, height)
  }

  private mutating func readShape(
    _ reader: inout SyntaxReader, _ width: UInt32, _ height: UInt32
  ) throws(SyntaxReader.NotUnderstood) {
    if !onlyFrames { isAdaptive = try reader.flag() }
    guard width < 4096, height < 4096 else { return }
    let (columns, rows) = (Int(width) + 1, (Int(height) + 1) * (onlyFrames ? 1 : 2))
    frameBlocks = columns * rows
    size = (columns * 16, rows * 16)
    // direct_8x8_inference_flag, then the cropping offsets.
    try reader.skip(1)
    if try reader.flag() {
      size = nil
      let (left, right) = try (reader.unsigned(), reader.unsigned())
      let (top, bottom) = try (reader.unsigned(), reader.unsigned())
      let width: UInt32 = [1, 2].contains(chromaFormat) && !hasSeparatePlanes ? 2 : 1
      let height: UInt32 = (chromaFormat == 1 ? 2 : 1) * (onlyFrames ? 1 : 2)
      size = (
        columns * 16 - (Int(left) + Int(right)) * Int(width),
        rows * 16 - (Int(top) + Int(bottom)) * Int(height)
      )
      // No encoder pads that much, or on these sides.
      cropsMoreThanPadding =
        left > 0 || top > 0 || right >= 16 / width || bottom >= (onlyFrames ? 16 : 32) / height
    }
    usabilityPosition = reader.position
    guard try reader.flag() else { return }
    usability = VideoUsability()
    try usability?.readH264(&reader)
    reorderingEnd = reader.position
  }

  /// Whether the level is 1b (A.3.1).
  package var isLevelOneB: Bool {
    level == 11 && constraints & 0x10 != 0 && [66, 77, 88].contains(profile)
  }

  private mutating func readOrder(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    switch orderType {
    case 0: orderBits = Int(try reader.unsigned(upTo: 12)) + 4
    case 1:
      isOrderDeltaZero = try reader.flag()
      unreferencedOffset = try reader.signed()
      bottomOffset = try reader.signed()
      for _ in 0..<(try reader.unsigned(upTo: 255)) { orderCycle.append(try reader.signed()) }
    default: break
    }
  }

  /// The same set with gaps allowed in frame_num (7.4.2.1.1): missing reference pictures are then not an
  /// error.
  package var allowingGaps: [UInt8] {
    var payload = NALEscaping.unescaped(unit[1...])
    payload[gapsPosition / 8] |= 0x80 >> UInt8(gapsPosition % 8)
    return unit[..<1] + NALEscaping.escaped(payload)
  }

  /// Scaling lists of a sequence parameter set (7.3.2.1.1.1).
  private static func skipScalingLists(
    _ reader: inout SyntaxReader, count: Int
  ) throws(SyntaxReader.NotUnderstood) {
    for index in 0..<count where try reader.flag() {
      var last: Int32 = 8
      var next: Int32 = 8
      for _ in 0..<(index < 6 ? 16 : 64) {
        if next != 0 {
          let delta = try reader.signed()
          guard delta.magnitude < 256 else { throw SyntaxReader.NotUnderstood() }
          next = (last + delta + 256) % 256
        }
        last = next == 0 ? last : next
      }
    }
  }
}

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
      usability?.maxReorderFrames == nil
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
    guard let stated = usability?.maxReorderFrames else { return statingReordering(of: frames) }
    let payload = NALEscaping.unescaped(unit[1...])
    var reader = BitReader(payload)
    // max_dec_frame_buffering follows.
    guard stated < frames, reader.skip(reorderingEnd), let buffered = reader.exponentialGolomb()
    else { return nil }
    var code = BitWriter()
    code.exponentialGolomb(UInt32(stated))
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: reorderingEnd - code.count)
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
