package import Libav

/// Tags behind the last frame of FLAC and AC-3: FFmpeg takes them for the end of that frame, whose
/// checksum then fails.
package enum TrailingTags {
  /// A part of the file that ends before them; `nil` where there are none.
  package static func input(before file: InputFile) -> (any ByteInput)? {
    beginning(in: file).map { SlicedInput(file, 0..<$0) }
  }

  /// Where they begin.
  package static func beginning(in file: InputFile) -> Int64? {
    guard let whole = file.byteCount, isSound(file) else { return nil }
    var end = whole
    // One of each kind may stand there, in any order.
    for _ in 0..<3 {
      guard let start = tag(in: file, before: end) else { break }
      end = start
    }
    return end < whole && end > 0 ? end : nil
  }

  /// Sound of these kinds, maybe behind a tag of its own.
  private static func isSound(_ file: InputFile) -> Bool {
    var head = Array(file.head.prefix(tagHeaderBytes))
    if head.count == tagHeaderBytes, head.starts(with: "ID3".utf8) {
      // ID3v2, 3.1: seven bits of each of four bytes.
      let size = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      let start = Int64(tagHeaderBytes) + size
      head = file.bytes(in: start..<start + 4, atMost: 4)
    }
    return head.starts(with: "fLaC".utf8) || head.starts(with: [0x0B, 0x77])
  }

  /// Where a tag begins that ends there: ID3v1 of 128 bytes, or APE's, whose last 32 bytes state its
  /// size without its header, and by a flag whether it has one of 32 bytes.
  private static func tag(in file: InputFile, before end: Int64) -> Int64? {
    let tail = file.bytes(in: max(0, end - 128)..<end, atMost: 128)
    if tail.count == 128, tail.starts(with: "TAG".utf8) { return end - 128 }
    let foot = Array(tail.suffix(32))
    guard foot.count == 32, foot.starts(with: "APETAGEX".utf8) else { return nil }
    let size = foot[12..<16].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let start = end - size - (foot[23] & 0x80 == 0 ? 0 : 32)
    return size >= 32 && start > 0 ? start : nil
  }

  private static let tagHeaderBytes = 10
}
