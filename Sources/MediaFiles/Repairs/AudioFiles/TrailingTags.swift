package import Libav

/// Tags after the last frame that FFmpeg mistakes for audio: in FLAC and AC-3 for the end of that
/// frame, whose checksum then fails; in MP3 and AAC for frames, where a picture in them contains
/// sync words; in WavPack for blocks, where another kind of tag follows.
package enum TrailingTags {
  /// The part of the file before them; `nil` if there are none.
  package static func input(before file: InputFile) -> (any ByteInput)? {
    beginning(in: file).map { SlicedInput(file, 0..<$0) }
  }

  /// Where they begin.
  package static func beginning(in file: InputFile) -> Int64? {
    guard let whole = file.byteCount, let sound = sound(of: file) else { return nil }
    var end = whole
    // There may be one of each kind, in any order.
    for _ in 0..<3 {
      guard let start = tag(in: file, before: end) else { break }
      // FFmpeg reads that itself, where it is at the end of the file.
      if sound == .wavPack, end - start != id3v1Bytes { break }
      end = start
    }
    guard end < whole, end > 0 else { return nil }
    if sound == .mpeg, !holdsSyncWord(end..<whole, of: file) { return nil }
    return end
  }

  private enum Sound { case framed, mpeg, wavPack }

  /// The kind of audio, possibly after a leading tag.
  private static func sound(of file: InputFile) -> Sound? {
    var head = Array(file.head.prefix(tagHeaderBytes))
    if head.count == tagHeaderBytes, head.starts(with: "ID3".utf8) {
      // ID3v2, 3.1: seven bits of each of four bytes.
      let size = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      let start = Int64(tagHeaderBytes) + size
      head = file.bytes(in: start..<start + 4, atMost: 4)
    }
    if head.starts(with: "fLaC".utf8) || head.starts(with: [0x0B, 0x77]) { return .framed }
    if head.starts(with: "wvpk".utf8) { return .wavPack }
    return head.count > 1 && isSyncWord(head[0], head[1]) ? .mpeg : nil
  }

  /// Checks the eleven common bits of the sync words of MPEG audio (ISO 11172-3, 2.4.2.3) and ADTS
  /// (ISO 14496-3, 1.A.2.2).
  private static func isSyncWord(_ first: UInt8, _ second: UInt8) -> Bool {
    first == 0xFF && second >= 0xE0
  }

  /// Whether a tag contains sync words; text has none, and tags that FFmpeg can read are left to
  /// it.
  private static func holdsSyncWord(_ range: Range<Int64>, of file: InputFile) -> Bool {
    let bytes = file.bytes(in: range, atMost: mostSearched)
    return zip(bytes, bytes.dropFirst()).contains(where: isSyncWord)
  }

  /// Where a tag that ends at a position begins: ID3v1 of 128 bytes, or APE, whose last 32 bytes
  /// state its size without the header, and in a flag whether it has a 32-byte header.
  private static func tag(in file: InputFile, before end: Int64) -> Int64? {
    let tail = file.bytes(in: max(0, end - id3v1Bytes)..<end, atMost: Int(id3v1Bytes))
    if tail.count == id3v1Bytes, tail.starts(with: "TAG".utf8) { return end - id3v1Bytes }
    let foot = Array(tail.suffix(32))
    guard foot.count == 32, foot.starts(with: "APETAGEX".utf8) else { return nil }
    let size = foot[12..<16].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let start = end - size - (foot[23] & 0x80 == 0 ? 0 : 32)
    return size >= 32 && start > 0 ? start : nil
  }

  private static let tagHeaderBytes = 10
  private static let id3v1Bytes: Int64 = 128
  private static let mostSearched = 1 << 24
}
