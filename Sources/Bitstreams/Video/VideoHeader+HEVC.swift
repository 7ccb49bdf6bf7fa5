extension VideoHeader {
  /// A sequence parameter set (ITU-T H.265, 7.3.2.2.1), with its two header bytes.
  package init?(hevcSPS unit: ArraySlice<UInt8>) {
    guard let set = HEVCSPS(beginningOf: unit), set.reach >= .lumaDepth else { return nil }
    self.init()
    if set.profile.isProgressive, !set.profile.isInterlaced { isProgressive = true }
    let names: [UInt32: String] = [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Rext"]
    // With a profile of 0, the compatibility flags apply.
    let stated =
      set.profile.number > 0
      ? set.profile.number : (1...4).first { set.profile.compatibility >> (31 - $0) & 1 == 1 }
    profile = stated.flatMap { names[$0] }
    level = "\(set.profile.level / 30).\(set.profile.level % 30 / 3)"
    let chroma = set.coding.chromaFormat
    let sides = set.offsets.map { Int($0) }
    let width = Int(set.coding.width) - (sides[0] + sides[1]) * (chroma == 1 || chroma == 2 ? 2 : 1)
    let height = Int(set.coding.height) - (sides[2] + sides[3]) * (chroma == 1 ? 2 : 1)
    if width > 0, height > 0 { (self.width, self.height) = (width, height) }
    let depth = Int(set.coding.lumaDepth) + 8
    bitDepth = depth
    // The last entry applies to the whole stream.
    maxReorderFrames = set.ordering.last.flatMap { $0.reordered <= 16 ? Int($0.reordered) : nil }
    if let usability = set.usability {
      var reader = BitReader(NALEscaping.unescaped(unit.dropFirst(2)))
      reader.skip(usability)
      readVUI(&reader, isHEVC: true)
    }
    pixelFormat =
      chroma == 3 && matrix == 0
      ? PixelFormat.planarRGB(bitDepth: depth)
      : PixelFormat.name(chroma: Int(chroma), bitDepth: depth, isFullRange: isFullRange == true)
  }
}
