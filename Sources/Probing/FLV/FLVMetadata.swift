import MediaFacts
import MediaFiles

/// The script tag at the beginning of an FLV (Video File Format Specification 10.1, E.5).
enum FLVMetadata {
  /// Whether it states a duration: without one FFmpeg reports the time of the last tag as the
  /// declared duration.
  static func statesDuration(_ file: InputFile) -> Bool {
    let head = file.bytes(in: 0..<(1 << 16), atMost: 1 << 16)
    // An eight-byte name, and a number (E.4.4.1).
    let name = [0, 8] + Array("duration".utf8) + [0]
    guard let place = head.indices.first(where: { head[$0...].starts(with: name) }),
      head.count >= place + name.count + 8
    else { return false }
    let bits = head[(place + name.count)..<(place + name.count + 8)].reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Double(bitPattern: bits) > 0
  }
}
