extension VideoHeader {
  /// The size in a PNG's first chunk (ISO/IEC 15948, 11.2.2).
  package init?(png sample: ArraySlice<UInt8>) {
    let head = Array(sample.prefix(24))
    guard head.count == 24, head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      head[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ place: Int) -> Int { head[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    self.init()
    (width, height) = (number(16), number(20))
  }
}
