/// Looks for damage in pictures of MPEG-1, MPEG-2 and MPEG-4 part 2: their coefficient and vector codes never
/// form 23 consecutive zero bits, so these only precede start codes.
package struct StartCodeInspector {
  /// The codes that may follow 00 00 01 in a picture's packet.
  private let codes: [ClosedRange<UInt8>]
  /// The code that begins a picture.
  private let picture: UInt8

  /// ISO 13818-2, table 6-1: pictures, slices, user data, sequences, errors, extensions, groups.
  package static let mpeg2 = StartCodeInspector(
    codes: [0x00...0xAF, 0xB2...0xB5, 0xB7...0xB8], picture: 0x00)
  /// ISO 14496-2, table 6-3: objects and layers, sequences, user data, groups, planes.
  package static let mpeg4 = StartCodeInspector(
    codes: [0x00...0x2F, 0xB0...0xB8], picture: 0xB6)

  package func fault(in packet: [UInt8]) -> PacketFault? {
    // An MPEG-4 VOP that repeats the previous one is only a byte or so.
    guard packet.count > 7 else { return nil }
    return packet.withUnsafeBytes { bytes in
      var end = bytes.count
      while end > 0, bytes[end - 1] == 0 { end -= 1 }
      var hasPicture = false
      var place = 0
      while let zeros = ZeroRuns.firstPair(in: bytes, from: place, to: end) {
        place = zeros + 2
        while place < end, bytes[place] == 0 { place += 1 }
        let count = place - zeros
        guard place < end else { break }
        guard bytes[place] == 1 else {
          // A start code may be preceded by many zeros; before anything else, three are too many.
          if count > 2 { return .structure("a run of zeros is not followed by a start code") }
          continue
        }
        place += 1
        guard place < end || place < bytes.count else {
          return .structure("it ends within a start code")
        }
        let code = bytes[place]
        guard codes.contains(where: { $0.contains(code) }) else {
          return .header("a start code is of a type that cannot occur in a picture")
        }
        hasPicture = hasPicture || code == picture
        place += 1
      }
      return hasPicture ? nil : .header("no picture begins in it")
    }
  }
}
