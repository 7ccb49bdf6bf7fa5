import Libav
package import MediaFacts
package import MediaFiles

/// The first structures of Matroska and of files of sound, read natively for what FFmpeg does not tell:
/// the document type, and whether the file ends before it says.
package struct ContainerHead {
  package private(set) var isWebM = false
  package private(set) var damage: [Damage] = []

  package init(_ file: InputFile) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count =
      (try? bytes.withUnsafeMutableBytes { (buffer) throws(InputFault) in
        try file.read(into: buffer, at: 0)
      }) ?? 0
    bytes.removeLast(bytes.count - count)
    guard let size = file.byteCount else { return }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      readMatroska(bytes, size)
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.count >= 12 {
      readRIFF(bytes, size)
    } else if let stated = SoundFileEnd(file, head: bytes), stated.end > size {
      tellTruncation(size, stated.end, stated.name)
    }
  }

  /// RFC 8794: the EBML header, then the Segment with its size.
  private mutating func readMatroska(_ bytes: [UInt8], _ size: Int64) {
    guard let header = Self.number(bytes, at: 4) else { return }
    let (end, overflow) = Int64(4 + header.length).addingReportingOverflow(header.value)
    guard !overflow, end < Int64(bytes.count) else { return }
    let segment = Int(end)
    let docType = Array("webm".utf8)
    for start in 4..<max(4, segment) where bytes[start...].starts(with: [0x42, 0x82]) {
      guard let name = Self.number(bytes, at: start + 2) else { break }
      let text = bytes.dropFirst(start + 2 + name.length).prefix(Int(clamping: name.value))
      // A string may be followed by zeros (RFC 8794, 7.4).
      isWebM = text.prefix { $0 != 0 }.elementsEqual(docType)
      break
    }
    guard bytes[segment...].starts(with: [0x18, 0x53, 0x80, 0x67]),
      let body = Self.number(bytes, at: segment + 4), !body.isUnknown
    else { return }
    let start = Int64(segment + 4 + body.length)
    let (claimed, isHuge) = start.addingReportingOverflow(body.value)
    if isHuge || claimed > size { tellTruncation(size, isHuge ? nil : claimed, "Segment") }
  }

  private mutating func readRIFF(_ bytes: [UInt8], _ size: Int64) {
    let stated = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 + $1]) << UInt32($1 * 8) }
    // All ones and zero mean a stream whose size was never known.
    guard stated != .max, stated != 0, Int64(stated) + 8 > size else { return }
    // A byte of padding is often left out.
    guard Int64(stated) + 8 > size + 1 else { return }
    tellTruncation(size, Int64(stated) + 8, "RIFF")
  }

  private mutating func tellTruncation(_ size: Int64, _ claimed: Int64?, _ what: String) {
    damage.append(
      Damage(
        .truncated, at: size,
        "The file ends at byte \(size)"
          + (claimed.map { "; its “\(what)” says it goes on to byte \($0)." }
            ?? ", long before its “\(what)” says.")))
  }

  /// An EBML variable-size number.
  private static func number(
    _ bytes: [UInt8], at offset: Int
  ) -> (value: Int64, length: Int, isUnknown: Bool)? {
    guard offset < bytes.count, bytes[offset] != 0 else { return nil }
    let length = bytes[offset].leadingZeroBitCount + 1
    guard offset + length <= bytes.count else { return nil }
    var value = UInt64(bytes[offset]) & (UInt64(0xFF) >> UInt64(length))
    for index in 1..<max(1, length) { value = value << 8 | UInt64(bytes[offset + index]) }
    let isUnknown = value == (UInt64(1) << UInt64(7 * length)) - 1
    return (Int64(value), length, isUnknown)
  }
}
