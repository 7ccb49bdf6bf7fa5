extension VideoHeader {
  /// A sequence parameter set (ITU-T H.265, 7.3.2.2.1), with its two header bytes.
  package init?(hevcSPS unit: ArraySlice<UInt8>) {
    self.init()
    var reader = BitReader(NALUnits.unescaped(unit.dropFirst(2)))
    guard reader.skip(4), let layers = reader.read(3), reader.skip(1),
      readProfile(&reader, layers: Int(layers)), reader.exponentialGolomb() != nil,
      let chroma = reader.exponentialGolomb(), chroma < 4
    else { return nil }
    if chroma == 3 { reader.skip(1) }
    guard let codedWidth = reader.exponentialGolomb(),
      let codedHeight = reader.exponentialGolomb(), codedWidth <= 65535, codedHeight <= 65535,
      let isCropped = reader.flag()
    else { return nil }
    var (width, height) = (Int(codedWidth), Int(codedHeight))
    if isCropped {
      guard let left = reader.exponentialGolomb(), let right = reader.exponentialGolomb(),
        let top = reader.exponentialGolomb(), let bottom = reader.exponentialGolomb()
      else { return nil }
      width -= (Int(left) + Int(right)) * (chroma == 1 || chroma == 2 ? 2 : 1)
      height -= (Int(top) + Int(bottom)) * (chroma == 1 ? 2 : 1)
    }
    if width > 0, height > 0 { (self.width, self.height) = (width, height) }
    guard let luma = reader.exponentialGolomb(), luma <= 8 else { return nil }
    let depth = Int(luma) + 8
    bitDepth = depth
    if readToVUI(&reader, layers: Int(layers)) { readVUI(&reader, isHEVC: true) }
    pixelFormat =
      chroma == 3 && matrix == 0
      ? PixelFormat.planarRGB(bitDepth: depth)
      : PixelFormat.name(chroma: Int(chroma), bitDepth: depth, isFullRange: isFullRange == true)
  }

  /// profile_tier_level, 7.3.3.
  private mutating func readProfile(_ reader: inout BitReader, layers: Int) -> Bool {
    guard reader.skip(3), let code = reader.read(5), let compatibility = reader.read(32),
      let progressive = reader.flag(), let interlaced = reader.flag(), reader.skip(46),
      let levelCode = reader.read(8)
    else { return false }
    if progressive, !interlaced { isProgressive = true }
    let names = [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Rext"]
    // With a profile of 0, the compatibility flags apply: bit j from the left for profile j.
    let stated = code > 0 ? Int(code) : (1...4).first { compatibility >> UInt32(31 - $0) & 1 == 1 }
    profile = stated.flatMap { names[$0] }
    level = "\(levelCode / 30).\(levelCode % 30 / 3)"
    var present: [(Bool, Bool)] = []
    for _ in 0..<layers {
      guard let hasProfile = reader.flag(), let hasLevel = reader.flag() else { return false }
      present.append((hasProfile, hasLevel))
    }
    if layers > 0 { reader.skip(2 * (8 - layers)) }
    for (hasProfile, hasLevel) in present {
      if hasProfile { reader.skip(88) }
      if hasLevel { reader.skip(8) }
    }
    return true
  }

  /// Everything between the bit depth and the VUI; false when there is no VUI or it is not reached.
  private mutating func readToVUI(_ reader: inout BitReader, layers: Int) -> Bool {
    guard reader.exponentialGolomb() != nil, let pocBits = reader.exponentialGolomb(),
      pocBits <= 12, let isOrdered = reader.flag()
    else { return false }
    // The last entry applies to the whole stream.
    for _ in 0..<(isOrdered ? layers + 1 : 1) {
      guard reader.exponentialGolomb() != nil, let reordered = reader.exponentialGolomb(),
        reader.exponentialGolomb() != nil
      else { return false }
      maxReorderFrames = reordered <= 16 ? Int(reordered) : nil
    }
    for _ in 0..<6 where reader.exponentialGolomb() == nil { return false }
    if reader.flag() == true, reader.flag() == true, !skipScalingLists(&reader) { return false }
    reader.skip(2)
    if reader.flag() == true {
      reader.skip(8)
      _ = reader.exponentialGolomb()
      _ = reader.exponentialGolomb()
      reader.skip(1)
    }
    guard skipShortTermSets(&reader) else { return false }
    if reader.flag() == true {
      guard let count = reader.exponentialGolomb(), count <= 32 else { return false }
      reader.skip(Int(count) * (Int(pocBits) + 5))
    }
    reader.skip(2)
    return reader.flag() == true
  }

  /// scaling_list_data, 7.3.4.
  private func skipScalingLists(_ reader: inout BitReader) -> Bool {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard let isCoded = reader.flag() else { return false }
        if !isCoded {
          _ = reader.exponentialGolomb()
          continue
        }
        if size > 1 { _ = reader.signedExponentialGolomb() }
        for _ in 0..<min(64, 1 << (4 + size * 2)) where reader.signedExponentialGolomb() == nil {
          return false
        }
      }
    }
    return true
  }

  /// st_ref_pic_set, 7.3.7.
  private func skipShortTermSets(_ reader: inout BitReader) -> Bool {
    guard let count = reader.exponentialGolomb(), count <= 64 else { return false }
    var deltas = 0
    for index in 0..<count {
      let isPredicted = index > 0 ? reader.flag() ?? false : false
      if isPredicted {
        reader.skip(1)
        guard reader.exponentialGolomb() != nil else { return false }
        var kept = 0
        for _ in 0...deltas {
          guard let isUsed = reader.flag() else { return false }
          if isUsed {
            kept += 1
          } else if reader.flag() == true {
            kept += 1
          }
        }
        deltas = kept
      } else {
        guard let negative = reader.exponentialGolomb(), negative <= 16,
          let positive = reader.exponentialGolomb(), positive <= 16
        else { return false }
        for _ in 0..<(negative + positive) {
          guard reader.exponentialGolomb() != nil, reader.skip(1) else { return false }
        }
        deltas = Int(negative + positive)
      }
    }
    return true
  }
}
