extension NALUnits {
  /// Whether the lengths before the units fill the sample exactly (ISO 14496-15, 5.3.4.2).
  ///
  /// Zeros after the last unit are padding, which readers skip; so are empty units.
  package var fillSample: Bool {
    guard case .lengthPrefixed(let size) = framing, !bytes.starts(with: [0, 0, 0, 1]) else {
      return true
    }
    var position = bytes.startIndex
    while bytes.endIndex - position >= size {
      var length = 0
      for byte in bytes[position..<position + size] { length = length << 8 | Int(byte) }
      guard length <= bytes.endIndex - position - size else { return false }
      position += size + length
    }
    return bytes[position...].allSatisfy { $0 == 0 }
  }
}
