import MediaFiles

/// The empty chunks after the last picture of an AVI, each of which repeats it for one frame
/// duration, as between pictures.
enum AVITail {
  /// The most bytes to examine: late-written audio may follow there too.
  private static let most: Int64 = 64 << 20
  private static let mostChunks = 100_000

  /// Counts the empty chunks of a video stream after its last picture.
  ///
  /// - Parameters:
  ///   - index: the stream's number, with which its chunk names begin (`00dc`, `00db`).
  ///   - end: where the last picture ends.
  static func repeats(ofStream index: Int, behind end: Int64, in file: InputFile) -> Int64 {
    guard let size = file.byteCount, (0..<100).contains(index) else { return 0 }
    let digits = [UInt8(ascii: "0") + UInt8(index / 10), UInt8(ascii: "0") + UInt8(index % 10)]
    var place = end + end % 2
    var count: Int64 = 0
    var chunks = 0
    while place + 8 <= size, place - end < most, chunks < mostChunks {
      chunks += 1
      let head = file.bytes(in: place..<min(size, place + 12), atMost: 12)
      guard head.count >= 8 else { break }
      let name = head[..<4]
      let length = head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      // Record lists, and the next part of a file larger than a gigabyte (OpenDML 1.02, 3.0).
      if ["RIFFAVIX", "LISTmovi", "LISTrec "].contains(where: {
        (name + head.dropFirst(8)).elementsEqual($0.utf8)
      }) {
        place += 12
        continue
      }
      let isPicture =
        name.starts(with: digits)
        && (name.dropFirst(2).elementsEqual("dc".utf8)
          || name.dropFirst(2).elementsEqual("db".utf8))
      if isPicture {
        guard length == 0 else { return 0 }
        count += 1
      } else if !isOther(name) {
        break
      }
      place += 8 + length + length % 2
    }
    return count
  }

  /// Whether a chunk belongs to other streams, a palette or an index, or is junk.
  private static func isOther(_ name: ArraySlice<UInt8>) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let kinds = ["wb", "dc", "db", "pc", "tx", "ix"]
    return name.elementsEqual("JUNK".utf8) || name.elementsEqual("idx1".utf8)
      || name.starts(with: "ix".utf8)
      || name.prefix(2).allSatisfy(digits.contains)
        && kinds.contains { name.dropFirst(2).elementsEqual($0.utf8) }
  }
}
