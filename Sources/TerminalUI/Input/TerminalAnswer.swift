/// A terminal's answer to a query, up to its end, in bounded space.
struct TerminalAnswer: Sendable {
  private var bytes: [UInt8] = []
  private static let limit = 64
  private static let images = Array("Gi=\(KittyGraphics.image);OK".utf8)
  private static let background = Array("11;rgb:".utf8)
  /// The form with alpha as a fourth component.
  private static let clearBackground = Array("11;rgba:".utf8)

  mutating func take(_ byte: UInt8) {
    // Keeping one byte more than any answer has shows that it is something else.
    if bytes.count <= Self.limit { bytes.append(byte) }
  }

  /// Whether the answer is `Gi=<image>;OK`: the terminal shows images.
  var showsImages: Bool { bytes == Self.images }

  /// `11;rgb:ffff/ffff/ffff`, the answer to ``ControlSequence/backgroundQuestion``.
  var background: RGBColor? {
    guard bytes.count <= Self.limit else { return nil }
    for prefix in [Self.background, Self.clearBackground] where bytes.starts(with: prefix) {
      let parts = bytes.dropFirst(prefix.count)
        .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map(Self.component)
      guard parts.count == (prefix == Self.background ? 3 : 4), let red = parts[0],
        let green = parts[1], let blue = parts[2]
      else { return nil }
      return RGBColor(red, green, blue)
    }
    return nil
  }

  /// One to four hexadecimal digits, where the maximum value means full intensity (XParseColor).
  private static func component(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard (1...4).contains(digits.count),
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    let greatest = (1 << (4 * digits.count)) - 1
    return UInt8((value * 255 + greatest / 2) / greatest)
  }
}
