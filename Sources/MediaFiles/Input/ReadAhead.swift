/// Small pieces of a file, read in large ones.
struct ReadAhead {
  private let file: InputFile
  private var buffer: [UInt8] = []
  private var start: Int64 = 0

  private static let least = 1 << 16

  init(_ file: InputFile) { self.file = file }

  /// The bytes from a position on, fewer at the end of the file.
  subscript(place: Int64, count: Int) -> ArraySlice<UInt8> {
    mutating get {
      let end = place + Int64(count)
      if place < start || end > start + Int64(buffer.count) {
        let wanted = max(count, Self.least)
        buffer = file.bytes(in: place..<place + Int64(wanted), atMost: wanted)
        start = place
      }
      let first = min(buffer.count, Int(place - start))
      return buffer[first..<min(buffer.count, first + count)]
    }
  }

  mutating func starts(with text: String, at place: Int64) -> Bool {
    self[place, text.utf8.count].elementsEqual(text.utf8)
  }
}
