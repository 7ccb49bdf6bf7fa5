import Bitstreams
import Libav
import MediaFiles

/// The stated end of audio files, in formats other than RIFF.
struct AudioFileEnd {
  /// The byte after the last one declared.
  var end: Int64
  /// The name of the structure that states it.
  var name: String

  /// `nil` for other formats, and where the file leaves it open because it was written to a pipe.
  ///
  /// - Parameter head: its first bytes.
  init?(_ file: InputFile, head: [UInt8]) {
    let end: Int64?
    switch head.prefix(4) {
    case Array("FORM".utf8)[...]: (end, name) = (Self.aiff(head), "FORM")
    case Array(".snd".utf8)[...]: (end, name) = (Self.au(head), "header")
    case Array("riff".utf8)[...]: (end, name) = (Self.wave64(head), "riff")
    // ITU-R BS.2088-1, 4: BW64 states its lengths as RF64 does.
    case Array("RF64".utf8)[...], Array("BW64".utf8)[...]: (end, name) = (Self.rf64(head), "ds64")
    case Array("caff".utf8)[...]: (end, name) = (CAFFile(input: file).soundEnd, "data")
    case Array("TTA1".utf8)[...]: (end, name) = (Self.trueAudio(file, head), "seek table")
    default: return nil
    }
    guard let end else { return nil }
    self.end = end
  }

  private static func number(
    _ bytes: [UInt8], at place: Int, count: Int, isBig: Bool
  ) -> UInt64? {
    guard place + count <= bytes.count else { return nil }
    let field = bytes[place..<place + count]
    return isBig
      ? field.reduce(0) { $0 << 8 | UInt64($1) }
      : field.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The end of data with a stated length; `nil` where the length was never known (all ones or
  /// zero) or is impossible.
  private static func end(_ start: Int64, _ count: UInt64?, unknown: UInt64) -> Int64? {
    guard let count, count != 0, count != unknown, let count = Int64(exactly: count),
      count < 1 << 62
    else { return nil }
    return start + count
  }

  /// Apple's AIFF: one chunk contains all others (EA IFF 85), and a padding byte is often omitted.
  private static func aiff(_ head: [UInt8]) -> Int64? {
    guard head.count > 12, head[8..<11].elementsEqual("AIF".utf8) else { return nil }
    return end(
      8, number(head, at: 4, count: 4, isBig: true).map { $0 & ~1 }, unknown: 0xFFFF_FFFE)
  }

  /// Sun's AU (`man 5 au`).
  private static func au(_ head: [UInt8]) -> Int64? {
    guard let start = number(head, at: 4, count: 4, isBig: true), start >= 24 else { return nil }
    return end(
      Int64(start), number(head, at: 8, count: 4, isBig: true), unknown: 0xFFFF_FFFF)
  }

  /// Sony's Wave64: names and lengths of sixteen and eight bytes; the first length is the file's,
  /// and the padding to eight bytes is often omitted.
  private static func wave64(_ head: [UInt8]) -> Int64? {
    end(0, number(head, at: 16, count: 8, isBig: false).map { $0 & ~7 }, unknown: .max & ~7)
  }

  /// RF64 (EBU Tech 3306): the length is in a separate chunk.
  private static func rf64(_ head: [UInt8]) -> Int64? {
    guard head.count > 28, head[12..<16].elementsEqual("ds64".utf8) else { return nil }
    return end(8, number(head, at: 20, count: 8, isBig: false).map { $0 & ~1 }, unknown: .max & ~1)
  }

  /// True Audio: a header of 22 bytes states the rate and the number of samples; it is followed by
  /// the sizes of all frames, of 256/245 s each, and a checksum.
  private static func trueAudio(_ file: InputFile, _ head: [UInt8]) -> Int64? {
    guard let rate = number(head, at: 10, count: 4, isBig: false), rate > 0, rate < 1 << 24,
      let samples = number(head, at: 14, count: 4, isBig: false), samples > 0
    else { return nil }
    let frame = rate * 256 / 245
    guard frame > 0 else { return nil }
    let count = Int((samples + frame - 1) / frame)
    // Tables take about four bytes per second: a larger one is not a real recording.
    guard count <= 1 << 20 else { return nil }
    let start: Int64 = 22
    let table = file.bytes(in: start..<start + Int64(count) * 4, atMost: count * 4)
    guard table.count == count * 4 else { return nil }
    return stride(from: 0, to: table.count, by: 4).reduce(start + Int64(count) * 4 + 4) {
      $0 + Int64(number(table, at: $1, count: 4, isBig: false) ?? 0)
    }
  }
}
