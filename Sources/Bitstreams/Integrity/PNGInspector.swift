/// Looks for damage in a PNG, whose chunks each have a length and a checksum (ISO/IEC 15948, 5.3).
package enum PNGInspector {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  package static func fault(in picture: [UInt8]) -> PacketFault? {
    guard picture.starts(with: signature) else {
      return .header("it does not begin with the PNG signature")
    }
    var place = signature.count
    while picture.count - place >= 12 {
      let length = number(picture, place)
      guard length <= picture.count - place - 12 else {
        return .structure("a chunk is longer than the picture")
      }
      let end = place + 8 + length
      let sum = Checksum.reflectedCRC32(picture[place + 4..<end])
      guard Int(sum) == number(picture, end) else {
        return .checksum("the checksum of a chunk does not match")
      }
      if picture[place + 4..<place + 8].elementsEqual("IEND".utf8) { return nil }
      place = end + 4
    }
    return .structure("it ends before its last chunk")
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
