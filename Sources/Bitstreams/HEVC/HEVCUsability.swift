/// Skips the video usability information of a sequence parameter set (ITU-T H.265, annex E).
package enum HEVCUsability {
  /// Skips vui_parameters, E.2.1.
  package static func skip(
    _ reader: inout SyntaxReader, layers: Int
  ) throws(SyntaxReader.NotUnderstood) {
    if try reader.flag(), try reader.bits(8) == 255 { try reader.skip(32) }
    if try reader.flag() { try reader.skip(1) }
    if try reader.flag() {
      try reader.skip(4)
      if try reader.flag() { try reader.skip(24) }
    }
    if try reader.flag() { _ = try (reader.unsigned(), reader.unsigned()) }
    try reader.skip(3)
    if try reader.flag() { for _ in 0..<4 { _ = try reader.unsigned() } }
    if try reader.flag() {
      try reader.skip(64)
      if try reader.flag() { _ = try reader.unsigned() }
      if try reader.flag() { try skipReferenceDecoder(&reader, layers: layers) }
    }
    if try reader.flag() {
      try reader.skip(3)
      for _ in 0..<5 { _ = try reader.unsigned() }
    }
  }

  /// Skips hrd_parameters with the common information, E.2.2.
  private static func skipReferenceDecoder(
    _ reader: inout SyntaxReader, layers: Int
  ) throws(SyntaxReader.NotUnderstood) {
    let kinds = try [reader.flag(), reader.flag()].count { $0 }
    var hasParts = false
    if kinds > 0 {
      hasParts = try reader.flag()
      if hasParts { try reader.skip(19) }
      try reader.skip(8)
      if hasParts { try reader.skip(4) }
      try reader.skip(15)
    }
    for _ in 0...layers {
      let isFixed = try reader.flag()
      let isFixedWithin = isFixed ? true : try reader.flag()
      var isLowDelay = false
      if isFixedWithin {
        _ = try reader.unsigned()
      } else {
        isLowDelay = try reader.flag()
      }
      let buffers = isLowDelay ? 1 : Int(try reader.unsigned(upTo: 31)) + 1
      for _ in 0..<buffers * kinds {
        for _ in 0..<(hasParts ? 4 : 2) { _ = try reader.unsigned() }
        try reader.skip(1)
      }
    }
  }
}
