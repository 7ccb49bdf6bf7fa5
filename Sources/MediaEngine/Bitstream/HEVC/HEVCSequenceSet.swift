/// A sequence parameter set of HEVC (7.3.2.2), as far as time and appearance need it.
struct HEVCSequenceSet: Hashable, Sendable {
  var id = 0
  var general: HEVCProfileTierLevel
  var chroma = ChromaFormat.half
  /// In pixels.
  var width = 0
  var height = 0
  var bitDepth = 8
  var reorderedFrames = 0
  var usability = VideoUsability()
  var isFieldSequence = false
  /// Seconds of a picture are `unitsInTick` over `timeScale`.
  var unitsInTick = 0
  var timeScale = 0
  private var hasSeparatePlanes = false
  private var orderCountBits = 4

  /// From the payload of a unit of type 33, unescaped; `nil` where it breaks off or is absurd.
  init?(_ payload: [UInt8]) {
    var bits = BitReader(payload[...])
    do {
      try bits.skip(4)
      let subLayers = try bits.int(3)
      try bits.skip(1)
      general = try HEVCProfileTierLevel(&bits, subLayers: subLayers)
      id = try bits.ue(upTo: 15)
      try readSize(&bits)
      try readDepths(&bits, subLayers: subLayers)
    } catch {
      return nil
    }
    // The set is valid without its optional end.
    try? readTools(&bits)
  }

  private mutating func readSize(_ bits: inout BitReader) throws(MalformedBits) {
    chroma = ChromaFormat(rawValue: try bits.ue(upTo: 3)) ?? .half
    if chroma == .full { hasSeparatePlanes = try bits.flag() }
    let side = 1 << 20
    width = try bits.ue(upTo: side)
    height = try bits.ue(upTo: side)
    if try bits.flag() {
      let unit = hasSeparatePlanes ? (width: 1, height: 1) : chroma.subsampling
      width -= ((try bits.ue(upTo: side)) + (try bits.ue(upTo: side))) * unit.width
      height -= ((try bits.ue(upTo: side)) + (try bits.ue(upTo: side))) * unit.height
    }
    guard width > 0, height > 0 else { throw MalformedBits() }
  }

  private mutating func readDepths(
    _ bits: inout BitReader, subLayers: Int
  ) throws(MalformedBits) {
    bitDepth = 8 + (try bits.ue(upTo: 8))
    _ = try bits.ue(upTo: 8)
    orderCountBits = 4 + (try bits.ue(upTo: 12))
    // The last one is that of the whole stream.
    for _ in (try bits.flag() ? 0 : subLayers)...subLayers {
      _ = try bits.ue()
      reorderedFrames = try bits.ue(upTo: 16)
      _ = try bits.ue()
    }
  }

  private mutating func readTools(_ bits: inout BitReader) throws(MalformedBits) {
    for _ in 0..<6 { _ = try bits.ue() }
    if try bits.flag(), try bits.flag() { try Self.skipScalingLists(&bits) }
    try bits.skip(2)
    if try bits.flag() {
      try bits.skip(8)
      _ = try bits.ue()
      _ = try bits.ue()
      try bits.skip(1)
    }
    try HEVCReferenceSets.skip(&bits)
    if try bits.flag() {
      for _ in 0..<(try bits.ue(upTo: 32)) { try bits.skip(orderCountBits + 1) }
    }
    try bits.skip(2)
    guard try bits.flag() else { return }
    try usability.read(&bits)
    try bits.skip(1)
    isFieldSequence = try bits.flag()
    try bits.skip(1)
    if try bits.flag() { for _ in 0..<4 { _ = try bits.ue() } }
    guard try bits.flag() else { return }
    unitsInTick = try bits.int(32)
    timeScale = try bits.int(32)
  }

  /// 7.3.4.
  private static func skipScalingLists(_ bits: inout BitReader) throws(MalformedBits) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard try bits.flag() else {
          _ = try bits.ue()
          continue
        }
        if size > 1 { _ = try bits.se() }
        for _ in 0..<min(64, 16 << (2 * size)) { _ = try bits.se() }
      }
    }
  }
}

/// The short-term reference picture sets of a sequence, which stand before what is wanted.
enum HEVCReferenceSets {
  /// 7.3.7, with the number of pictures of each set, on which the length of the next one depends.
  static func skip(_ bits: inout BitReader) throws(MalformedBits) {
    var previous = 0
    for index in 0..<(try bits.ue(upTo: 64)) {
      if index > 0, try bits.flag() {
        try bits.skip(1)
        _ = try bits.ue()
        var count = 0
        for _ in 0...previous {
          // used_by_curr_pic_flag, else use_delta_flag.
          if try bits.flag() {
            count += 1
          } else if try bits.flag() {
            count += 1
          }
        }
        previous = count
      } else {
        previous = (try bits.ue(upTo: 16)) + (try bits.ue(upTo: 16))
        for _ in 0..<previous {
          _ = try bits.ue()
          try bits.skip(1)
        }
      }
    }
  }
}

extension HEVCSequenceSet {
  /// What the set says, under FFmpeg's names.
  var header: VideoHeader {
    var header = VideoHeader()
    usability.describe(in: &header)
    // E.3.1: video_full_range_flag is inferred to be 0, which FFmpeg says for HEVC.
    if header.colorRange == nil { header.colorRange = "tv" }
    header.profile = general.profileName
    header.level = general.levelName
    header.width = width
    header.height = height
    header.bitDepth = bitDepth
    header.pixelFormat = chroma.pixelFormat(
      bitDepth: bitDepth, isRGB: usability.matrix == 0,
      namesFullRange: usability.isFullRange == true)
    if general.isProgressive, !general.isInterlaced, !isFieldSequence {
      header.fieldOrder = "progressive"
    }
    header.frameRate = VideoHeader.ratio(timeScale, unitsInTick)
    header.maximumReorderedFrames = reorderedFrames
    return header
  }
}
