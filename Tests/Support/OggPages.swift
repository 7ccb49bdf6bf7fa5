/// The pages of an Ogg file (RFC 3533, 6), to be changed and reassembled.
package struct OggPages {
  package struct Page {
    package var bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// A page of one packet, or of none.
    package init(flags: UInt8, serial: [UInt8], number: UInt8, packet: [UInt8]?) {
      let count = packet?.count ?? 0
      let lacing =
        [UInt8](repeating: 255, count: count / 255) + (packet == nil ? [] : [UInt8(count % 255)])
      bytes = Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 8) + serial
      bytes += [number, 0, 0, 0, 0, 0, 0, 0, UInt8(lacing.count)] + lacing + (packet ?? [])
    }

    package var serial: ArraySlice<UInt8> { bytes[14..<18] }
    /// The offset of its payload.
    package var body: Int { 27 + Int(bytes[26]) }

    /// The granule position at its end.
    package var granule: Int64 {
      get { (6..<14).reversed().reduce(0) { $0 << 8 | Int64(bytes[$1]) } }
      set {
        for place in 0..<8 {
          bytes[6 + place] = UInt8(truncatingIfNeeded: newValue >> Int64(8 * place))
        }
      }
    }

    /// The page with a correct checksum: polynomial 0x04C11DB7, nothing inverted.
    package var checked: [UInt8] {
      var whole = bytes
      whole.replaceSubrange(22..<26, with: [0, 0, 0, 0])
      var sum: UInt32 = 0
      for byte in whole {
        sum ^= UInt32(byte) << 24
        for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
      }
      for place in 0..<4 { whole[22 + place] = UInt8(truncatingIfNeeded: sum >> (8 * place)) }
      return whole
    }
  }

  package var pages: [Page] = []

  package init(_ file: [UInt8]) {
    var start = 0
    while start + 27 <= file.count {
      let lacing = start + 27..<start + 27 + Int(file[start + 26])
      let end = lacing.upperBound + file[lacing].reduce(0) { $0 + Int($1) }
      pages.append(Page(bytes: Array(file[start..<end])))
      start = end
    }
  }

  package var file: [UInt8] { pages.flatMap(\.checked) }
}
