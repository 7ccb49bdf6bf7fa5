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

  private static let highProfiles: Set<UInt32> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  package init?(_ unit: [UInt8]) {
    guard unit.count > 4 else { return nil }
    self.unit = unit
    var reader = BitReader(NALEscaping.unescaped(unit[1...]))
    guard let profile = reader.read(8), let constraints = reader.read(8),
      let level = reader.read(8),
      let id = reader.exponentialGolomb()
    else { return nil }
    (self.profile, self.constraints, self.level, self.id) = (profile, constraints, level, id)
    if Self.highProfiles.contains(profile) {
      guard let format = reader.exponentialGolomb() else { return nil }
      chromaFormat = format
      if format == 3 { hasSeparatePlanes = reader.flag() ?? false }
      guard let luma = reader.exponentialGolomb(), reader.exponentialGolomb() != nil,
        let bypasses = reader.flag(), let hasMatrix = reader.flag()
      else { return nil }
      lumaDepth = luma
      bypassesTransforms = bypasses
      hasScalingMatrix = hasMatrix
      if hasMatrix, !reader.skipScalingLists(count: format == 3 ? 12 : 8) { return nil }
    }
    guard let frameBits = reader.exponentialGolomb(), frameBits <= 12,
      let orderType = reader.exponentialGolomb(), orderType <= 2
    else { return nil }
    frameNumberBits = Int(frameBits) + 4
    self.orderType = orderType
    guard readOrder(&reader), let frames = reader.exponentialGolomb() else { return nil }
    referenceFrames = frames
    gapsPosition = reader.position
    guard let gaps = reader.flag(), let width = reader.exponentialGolomb(),
      let height = reader.exponentialGolomb(), let onlyFrames = reader.flag()
    else { return nil }
    allowsGaps = gaps
    self.onlyFrames = onlyFrames
    if !onlyFrames { isAdaptive = reader.flag() ?? false }
    guard width < 4096, height < 4096 else { return }
    let (columns, rows) = (Int(width) + 1, (Int(height) + 1) * (onlyFrames ? 1 : 2))
    frameBlocks = columns * rows
    size = (columns * 16, rows * 16)
    // direct_8x8_inference_flag, then the cropping offsets.
    guard reader.skip(1), let isCropped = reader.flag() else { return }
    if isCropped {
      size = nil
      guard let left = reader.exponentialGolomb(), let right = reader.exponentialGolomb(),
        let top = reader.exponentialGolomb(), let bottom = reader.exponentialGolomb()
      else { return }
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
  }

  /// Whether the level is 1b (A.3.1).
  package var isLevelOneB: Bool {
    level == 11 && constraints & 0x10 != 0 && [66, 77, 88].contains(profile)
  }

  private mutating func readOrder(_ reader: inout BitReader) -> Bool {
    switch orderType {
    case 0:
      guard let bits = reader.exponentialGolomb(), bits <= 12 else { return false }
      orderBits = Int(bits) + 4
    case 1:
      guard let isZero = reader.flag(), let unreferenced = reader.signedExponentialGolomb(),
        let bottom = reader.signedExponentialGolomb(), let count = reader.exponentialGolomb(),
        count < 256
      else { return false }
      (isOrderDeltaZero, unreferencedOffset, bottomOffset) = (isZero, unreferenced, bottom)
      for _ in 0..<count {
        guard let step = reader.signedExponentialGolomb() else { return false }
        orderCycle.append(step)
      }
    default: break
    }
    return true
  }

  /// The same set with gaps allowed in frame_num (7.4.2.1.1): missing reference pictures are then not an
  /// error.
  package var allowingGaps: [UInt8] {
    var payload = NALEscaping.unescaped(unit[1...])
    payload[gapsPosition / 8] |= 0x80 >> UInt8(gapsPosition % 8)
    return unit[..<1] + NALEscaping.escaped(payload)
  }
}

extension BitReader {
  /// Skips the scaling lists of a sequence or picture parameter set (ITU-T H.264, 7.3.2.1.1.1).
  ///
  /// - Returns: false where they are truncated or have invalid values.
  mutating func skipScalingLists(count: Int) -> Bool {
    for index in 0..<count {
      guard let isPresent = flag() else { return false }
      guard isPresent else { continue }
      var last: Int32 = 8
      var next: Int32 = 8
      for _ in 0..<(index < 6 ? 16 : 64) {
        if next != 0 {
          guard let delta = signedExponentialGolomb(), delta.magnitude < 256 else { return false }
          next = (last + delta + 256) % 256
        }
        last = next == 0 ? last : next
      }
    }
    return true
  }
}
