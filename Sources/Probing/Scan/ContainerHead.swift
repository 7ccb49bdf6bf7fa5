import Libav
package import MediaFacts
package import MediaFiles

/// The first structures of Matroska, ASF and audio files, read natively for what FFmpeg does not
/// report: the document type, and whether the file is truncated.
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
    } else if let end = ASFDataEnd.stated(in: file, head: bytes), end > size {
      noteTruncation(size, end, "Data Object")
    } else if let stated = AudioFileEnd(file, head: bytes), stated.end > size {
      noteTruncation(size, stated.end, stated.name)
    }
  }

  /// Reads the EBML header, then the Segment with its size (RFC 8794).
  private mutating func readMatroska(_ bytes: [UInt8], _ size: Int64) {
    guard let header = EBML.number(bytes, at: 4) else { return }
    let (end, overflow) = Int64(4 + header.length).addingReportingOverflow(header.value)
    guard !overflow, end < Int64(bytes.count) else { return }
    let segment = Int(end)
    let docType = Array("webm".utf8)
    for start in 4..<max(4, segment) where bytes[start...].starts(with: [0x42, 0x82]) {
      guard let name = EBML.number(bytes, at: start + 2) else { break }
      let text = bytes.dropFirst(start + 2 + name.length).prefix(Int(clamping: name.value))
      // A string may be followed by zeros (RFC 8794, 7.4).
      isWebM = text.prefix { $0 != 0 }.elementsEqual(docType)
      break
    }
    guard bytes[segment...].starts(with: [0x18, 0x53, 0x80, 0x67]),
      let body = EBML.number(bytes, at: segment + 4), !body.isUnknown
    else { return }
    let start = Int64(segment + 4 + body.length)
    let (claimed, isHuge) = start.addingReportingOverflow(body.value)
    if isHuge || claimed > size { noteTruncation(size, isHuge ? nil : claimed, "Segment") }
  }

  private mutating func readRIFF(_ bytes: [UInt8], _ size: Int64) {
    var stated: UInt32 = 0
    for place in 0..<4 { stated |= UInt32(bytes[4 + place]) << (8 * place) }
    // All ones or zero mean that the size was never known.
    guard stated != .max, stated != 0, Int64(stated) + 8 > size else { return }
    // SoX states 0x7FFFF000 bytes of audio plus its header when it writes to a pipe.
    guard stated & ~0xFFF != 0x7FFF_F000 else { return }
    // A padding byte is often omitted.
    guard Int64(stated) + 8 > size + 1 else { return }
    noteTruncation(size, Int64(stated) + 8, "RIFF")
  }

  private mutating func noteTruncation(_ size: Int64, _ claimed: Int64?, _ what: String) {
    damage.append(
      Damage(
        .truncated, at: size,
        "The file ends at byte \(size)"
          + (claimed.map { "; its “\(what)” should extend to byte \($0)." }
            ?? ", long before the end of its “\(what)”.")))
  }
}
