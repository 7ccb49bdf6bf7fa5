extension H264SPS {
  /// What it states about pictures; `nil` where their size or format is not understood.
  package var header: VideoHeader? {
    guard chromaFormat < 4, lumaDepth < 8, let size else { return nil }
    // Decoders add neutral chroma planes to monochrome pictures.
    var header = VideoHeader(usability, chroma: max(chromaFormat, 1), lumaDepth: lumaDepth)
    header.profile = profileName
    header.level = isLevelOneB ? "1.b" : "\(level / 10).\(level % 10)"
    header.isProgressive = onlyFrames ? true : nil
    header.setSize(size.width, size.height)
    header.maxReorderFrames = usability?.maxReorderFrames
    header.pictureTimingDelayBits = usability?.pictureTimingDelayBits
    return header
  }

  private var profileName: String? {
    switch profile {
    case 66: constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
    case 77: "Main"
    case 88: "Extended"
    case 100: constraints & 0x0C == 0x0C ? "Constrained High" : "High"
    case 110: constraints & 0x10 != 0 ? "High 10 Intra" : "High 10"
    case 122: constraints & 0x10 != 0 ? "High 4:2:2 Intra" : "High 4:2:2"
    case 244: constraints & 0x10 != 0 ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
    case 44: "CAVLC 4:4:4"
    default: nil
    }
  }
}

extension HEVCSPS {
  /// What it states about pictures; `nil` where their format is not understood.
  package var header: VideoHeader? {
    guard reach >= .lumaDepth else { return nil }
    let chroma = coding.chromaFormat
    var header = VideoHeader(usability, chroma: chroma, lumaDepth: coding.lumaDepth)
    if profile.isProgressive, !profile.isInterlaced { header.isProgressive = true }
    let names: [UInt32: String] = [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Rext"]
    // With a profile of 0, the compatibility flags apply.
    let stated =
      profile.number > 0
      ? profile.number : (1...4).first { profile.compatibility >> (31 - $0) & 1 == 1 }
    header.profile = stated.flatMap { names[$0] }
    header.level = "\(profile.level / 30).\(profile.level % 30 / 3)"
    let sides = offsets.map { Int($0) }
    header.setSize(
      Int(coding.width) - (sides[0] + sides[1]) * (chroma == 1 || chroma == 2 ? 2 : 1),
      Int(coding.height) - (sides[2] + sides[3]) * (chroma == 1 ? 2 : 1))
    // The last entry applies to the whole stream.
    header.maxReorderFrames = ordering.last.flatMap {
      $0.reordered <= 16 ? Int($0.reordered) : nil
    }
    return header
  }
}

extension VideoHeader {
  fileprivate init(_ usability: VideoUsability?, chroma: UInt32, lumaDepth: UInt32) {
    let depth = Int(lumaDepth) + 8
    bitDepth = depth
    if let usability {
      sampleAspectRatio = usability.sampleAspectRatio
      color = usability.color
      isFullRange = usability.isFullRange
      frameRate = usability.frameRate
    }
    pixelFormat =
      chroma == 3 && color.matrix == 0
      ? PixelFormat.planarRGB(bitDepth: depth)
      : PixelFormat.name(chroma: Int(chroma), bitDepth: depth, isFullRange: isFullRange == true)
  }

  /// The field order from the picture timing SEI of an H.264 file's first sample.
  ///
  /// - Returns: `progressive`, `tt` or `bb` by pic_struct (ITU-T H.264, table D-1); `nil` where the
  ///   header signals none or the sample has none.
  package func fieldOrder(ofFirstSample sample: ArraySlice<UInt8>, framing: Framing) -> String? {
    guard let pictureTimingDelayBits else { return nil }
    for unit in NALUnits(bytes: sample, framing: framing) {
      guard let first = unit.first, first & 0x1F == 6,
        let timing = SEIMessage.payload(ofType: 1, in: unit.dropFirst())
      else { continue }
      var reader = BitReader(timing)
      guard reader.skip(pictureTimingDelayBits), let structure = reader.read(4) else { return nil }
      switch structure {
      case 0, 7, 8: return "progressive"
      case 1, 3, 5: return "tt"
      case 2, 4, 6: return "bb"
      default: return nil
      }
    }
    return nil
  }
}
