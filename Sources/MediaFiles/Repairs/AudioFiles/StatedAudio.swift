package import Libav

/// Limits Sun's AU to the audio size stated in its header (`man 5 au`): what follows is not audio,
/// but FFmpeg would play it.
package enum StatedAudio {
  /// The part of the file up to the end of its audio; `nil` where that is the whole file, or not
  /// stated.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    end(of: file).map { SlicedInput(file, 0..<$0) }
  }

  /// Where the audio of an AU file ends, if before the end of the file.
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
