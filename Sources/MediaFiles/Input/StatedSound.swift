package import Libav

/// Sun's AU says in its header how much sound follows (`man 5 au`): what lies behind that is none,
/// though FFmpeg would play it.
package enum StatedSound {
  /// A part of the file that ends with its sound; `nil` where that is all of it, or is not stated.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    end(of: file).map { SlicedInput(file, 0..<$0) }
  }

  /// Where the sound of an AU file ends, before the end of the file.
  package static func end(of file: InputFile) -> Int64? {
    let head = file.head.prefix(headerBytes)
    guard head.count == headerBytes, head.starts(with: ".snd".utf8), let whole = file.byteCount
    else { return nil }
    let (start, count) = (number(head, at: 4), number(head, at: 8))
    guard start >= Int64(headerBytes), count > 0, count != unknownCount else { return nil }
    return start + count < whole ? start + count : nil
  }

  private static let headerBytes = 24
  private static let unknownCount: Int64 = 0xFFFF_FFFF

  private static func number(_ bytes: ArraySlice<UInt8>, at place: Int) -> Int64 {
    bytes.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | Int64($1) }
  }
}
