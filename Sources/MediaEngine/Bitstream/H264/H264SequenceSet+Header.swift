extension H264SequenceSet {
  /// What the set says, under FFmpeg's names.
  var header: VideoHeader {
    var header = VideoHeader()
    usability.common.describe(in: &header)
    header.profile = profileName
    header.level = levelName
    header.width = width
    header.height = height
    header.bitDepth = bitDepth
    // FFmpeg has no monochrome H.264: it decodes to 4:2:0 with empty chroma planes.
    let decoded = chroma == .monochrome ? ChromaFormat.half : chroma
    header.pixelFormat = decoded.pixelFormat(
      bitDepth: bitDepth, isRGB: usability.common.matrix == 0,
      namesFullRange: usability.common.isFullRange == true)
    header.fieldOrder = hasOnlyFrames ? "progressive" : nil
    header.frameRate = VideoHeader.ratio(usability.timeScale, usability.unitsInTick * 2)
    header.maximumReorderedFrames = maximumReorderedFrames
    return header
  }

  private func isConstrained(_ set: Int) -> Bool { constraints & (0x80 >> set) != 0 }

  /// Annex A.2.
  private var profileName: String? {
    let intra = isConstrained(3) ? " Intra" : ""
    switch profile {
    case 44: return "CAVLC 4:4:4"
    case 66: return isConstrained(1) ? "Constrained Baseline" : "Baseline"
    case 77: return "Main"
    case 88: return "Extended"
    case 100: return "High"
    case 110: return "High 10" + intra
    case 118: return "Multiview High"
    case 122: return "High 4:2:2" + intra
    case 128: return "Stereo High"
    case 144: return "High 4:4:4"
    case 244: return intra.isEmpty ? "High 4:4:4 Predictive" : "High 4:4:4 Intra"
    default: return nil
    }
  }

  private var isLevel1b: Bool {
    // A.3.1 and A.3.2: 1b is level_idc 11 with constraint_set3_flag in the oldest profiles, 9 in
    // the others.
    level == 9 || level == 11 && isConstrained(3) && [66, 77, 88].contains(profile)
  }

  private var levelName: String? {
    guard level > 0 else { return nil }
    return isLevel1b ? "1b" : "\(level / 10).\(level % 10)"
  }

  /// E.2.1, max_num_reorder_frames and what is inferred where it is absent.
  private var maximumReorderedFrames: Int? {
    if let stated = usability.reorderedFrames { return stated }
    // 8.2.1.3: with type 2 the order of output is the order of decoding.
    if orderCountType == 2 { return 0 }
    if isConstrained(3), [44, 86, 100, 110, 122, 244].contains(profile) { return 0 }
    guard let most = mostBufferedBlocks else { return nil }
    return min(most / (widthInBlocks * heightInBlocks), 16)
  }

  /// MaxDpbMbs (table A-1).
  private var mostBufferedBlocks: Int? {
    if isLevel1b { return 396 }
    switch level {
    case 10: return 396
    case 11: return 900
    case 12, 13, 20: return 2376
    case 21: return 4752
    case 22, 30: return 8100
    case 31: return 18000
    case 32: return 20480
    case 40, 41: return 32768
    case 42: return 34816
    case 50: return 110400
    case 51, 52: return 184320
    case 60, 61, 62: return 696320
    default: return nil
    }
  }
}
