/// A sequence parameter set of H.264 (7.3.2.1.1), as far as time and appearance need it.
struct H264SequenceSet: Hashable, Sendable {
  var id = 0
  var profile = 0
  /// constraint_set0_flag is the highest bit.
  var constraints = 0
  var level = 0
  var chroma = ChromaFormat.half
  var hasSeparatePlanes = false
  var bitDepth = 8
  var frameNumberBits = 4
  var orderCountType = 0
  /// In macroblocks; the height that of a frame.
  var widthInBlocks = 0
  var heightInBlocks = 0
  var hasOnlyFrames = true
  var hasAdaptiveFrames = false
  /// In pixels.
  var width = 0
  var height = 0
  var usability = H264Usability()

  /// From the payload of a unit of type 7, unescaped; `nil` where it breaks off or is absurd.
  init?(_ payload: [UInt8]) {
    var bits = BitReader(payload[...])
    do {
      try readHead(&bits)
      try readSize(&bits)
      // The set is valid without its optional end, which some encoders cut short.
      if try bits.flag() { try? usability.read(&bits) }
    } catch {
      guard width > 0 else { return nil }
    }
  }

  private static let profilesWithChroma: Set<Int> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135, 144,
  ]

  private mutating func readHead(_ bits: inout BitReader) throws(MalformedBits) {
    profile = try bits.int(8)
    constraints = try bits.int(8)
    level = try bits.int(8)
    id = try bits.ue(upTo: 31)
    guard Self.profilesWithChroma.contains(profile) else { return }
    chroma = ChromaFormat(rawValue: try bits.ue(upTo: 3)) ?? .half
    if chroma == .full { hasSeparatePlanes = try bits.flag() }
    bitDepth = 8 + (try bits.ue(upTo: 6))
    _ = try bits.ue(upTo: 6)
    try bits.skip(1)
    guard try bits.flag() else { return }
    for list in 0..<(chroma == .full ? 12 : 8) where try bits.flag() {
      try Self.skipScalingList(&bits, count: list < 6 ? 16 : 64)
    }
  }

  /// 7.3.2.1.1.1: a difference of zero in sum ends the list.
  private static func skipScalingList(
    _ bits: inout BitReader, count: Int
  ) throws(MalformedBits) {
    var last = 8
    for _ in 0..<count {
      last = (last + (try bits.se())) & 255
      if last == 0 { return }
    }
  }

  private mutating func readSize(_ bits: inout BitReader) throws(MalformedBits) {
    frameNumberBits = 4 + (try bits.ue(upTo: 12))
    orderCountType = try bits.ue(upTo: 2)
    if orderCountType == 0 {
      _ = try bits.ue(upTo: 12)
    } else if orderCountType == 1 {
      try bits.skip(1)
      _ = try bits.se()
      _ = try bits.se()
      for _ in 0..<(try bits.ue(upTo: 255)) { _ = try bits.se() }
    }
    _ = try bits.ue()
    try bits.skip(1)
    // 16,384 macroblocks are 262,144 pixels: beyond every level, and no product overflows.
    widthInBlocks = 1 + (try bits.ue(upTo: 16383))
    let rows = 1 + (try bits.ue(upTo: 16383))
    hasOnlyFrames = try bits.flag()
    heightInBlocks = hasOnlyFrames ? rows : rows * 2
    if !hasOnlyFrames { hasAdaptiveFrames = try bits.flag() }
    try bits.skip(1)
    try readCropping(&bits)
  }

  private mutating func readCropping(_ bits: inout BitReader) throws(MalformedBits) {
    var cropped = (width: 0, height: 0)
    if try bits.flag() {
      let unit = hasSeparatePlanes ? (width: 1, height: 1) : chroma.subsampling
      let side = 1 << 20
      cropped.width = (try bits.ue(upTo: side)) + (try bits.ue(upTo: side))
      cropped.height = (try bits.ue(upTo: side)) + (try bits.ue(upTo: side))
      cropped.width *= unit.width
      cropped.height *= unit.height * (hasOnlyFrames ? 1 : 2)
    }
    guard cropped.width < widthInBlocks * 16, cropped.height < heightInBlocks * 16
    else { throw MalformedBits() }
    width = widthInBlocks * 16 - cropped.width
    height = heightInBlocks * 16 - cropped.height
  }
}
