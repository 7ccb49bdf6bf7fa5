#if FFmpeg
  /// AV1: every key frame comes with the sequence header it needs, and temporal delimiters are left
  /// out, as MP4 and Matroska want it (AV1-ISOBMFF, 2.4).
  struct AV1Joiner: EdgeJoiner {
    /// The source's sequence header, from av1C.
    private let headers: [UInt8]
    /// Whether encoded pictures may stand before, with headers of their own.
    private var followsEncoded: Bool

    var configuration: [UInt8]? { nil }

    /// - Parameters:
    ///   - configuration: an av1C box, whose OBUs begin after four bytes.
    ///   - isBehind: another part stands before, which may have ended with encoded pictures.
    init(configuration: [UInt8], isBehind: Bool) {
      headers = Array(configuration.dropFirst(4))
      followsEncoded = isBehind
    }

    mutating func encoded(
      _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
    ) throws(CutError) -> [UInt8] {
      followsEncoded = true
      return Self.units(of: bytes).filter { $0.type != Self.delimiter }
        .flatMap { bytes[$0.range] }
    }

    func copied(
      _ bytes: () throws(CutError) -> [UInt8], as role: CopiedRole
    ) throws(CutError) -> [UInt8]? {
      guard role == .entry, followsEncoded, !headers.isEmpty else { return nil }
      let packet = try bytes()
      let hasHeader = Self.units(of: packet).contains { $0.type == Self.sequenceHeader }
      return hasHeader ? nil : headers + packet
    }

    private static let sequenceHeader: UInt8 = 1
    private static let delimiter: UInt8 = 2

    /// The OBUs of a temporal unit (AV1 bitstream, 5.3); what is not understood is one last unit.
    static func units(of bytes: [UInt8]) -> [(type: UInt8, range: Range<Int>)] {
      var units: [(type: UInt8, range: Range<Int>)] = []
      var position = 0
      while position < bytes.count {
        let header = bytes[position]
        var next = position + (header & 4 != 0 ? 2 : 1)
        var size = bytes.count - next
        if header & 2 != 0 {
          size = 0
          var shift = 0
          while next < bytes.count, shift < 35 {
            size |= Int(bytes[next] & 0x7F) << shift
            next += 1
            shift += 7
            if bytes[next - 1] & 0x80 == 0 { break }
          }
        }
        let end = size >= 0 && size <= bytes.count - next ? next + size : bytes.count
        units.append((header >> 3 & 0xF, position..<max(end, position + 1)))
        position = max(end, position + 1)
      }
      return units
    }
  }
#endif
