/// The parameters of one control sequence after `ESC [` (ECMA-48 5.4), in bounded space.
struct ControlSequenceCollector: Sendable {
  enum Progress {
    case needsMore
    /// The byte just consumed is the final one.
    case complete
    /// The byte cannot be part of a control sequence and is still to be read.
    case aborted
  }

  private(set) var isEmpty = true
  private(set) var parameters: [Int] = []
  /// One of `<`, `=`, `>`, `?` before the parameters.
  private(set) var privateMarker: UInt8?
  private(set) var hasIntermediates = false

  private static let parameterLimit = 16
  private static let valueLimit = 99_999

  mutating func take(_ byte: UInt8) -> Progress {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): append(digit: Int(byte - 0x30))
    case UInt8(ascii: ":"), UInt8(ascii: ";"): separate()
    case 0x3C...0x3F: if isEmpty { privateMarker = byte }
    case 0x20...0x2F: hasIntermediates = true
    case 0x40...0x7E: return .complete
    default: return .aborted
    }
    isEmpty = false
    return .needsMore
  }

  /// Whether this is `ESC [ M`, followed by three bytes: a mouse report from before xterm's mode
  /// 1006.
  func isOldMouse(final: UInt8) -> Bool { final == UInt8(ascii: "M") && isEmpty }

  func beginsPaste(final: UInt8) -> Bool {
    final == UInt8(ascii: "~") && privateMarker == nil && parameters == [200]
  }

  private mutating func append(digit: Int) {
    if parameters.isEmpty { parameters.append(0) }
    let last = parameters.count - 1
    parameters[last] = min(parameters[last] * 10 + digit, Self.valueLimit)
  }

  private mutating func separate() {
    if parameters.isEmpty { parameters.append(0) }
    // More than any key sends: further ones merge into the last one and do not affect anything we
    // read.
    if parameters.count < Self.parameterLimit { parameters.append(0) }
  }
}

/// Text between the brackets of a paste, without control characters other than tab and newline.
struct PasteCollector: Sendable {
  private var bytes: [UInt8] = []
  private var matched = 0

  private static let end = ControlSequence.endOfPaste
  /// Text pasted into a field is short; a runaway paste is truncated here.
  private static let limit = 64 * 1024

  /// True when this byte ends the paste.
  mutating func take(_ byte: UInt8) -> Bool {
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count
    }
    append(Self.end.prefix(matched))
    matched = byte == Self.end[0] ? 1 : 0
    if matched == 0 { append([byte]) }
    return false
  }

  var text: String {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
      $0 == "\t" || $0 == "\n" || $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private mutating func append(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more.prefix(Self.limit - bytes.count))
  }
}
