/// A terminal's answer to a query, up to its end, in bounded space.
struct TerminalAnswer: Sendable {
  private var bytes: [UInt8] = []
  private static let limit = 64
  private static let images = Array("Gi=\(KittyGraphics.image);OK".utf8)
  private static let background = Array("11;rgb:".utf8)
  /// The form with alpha as a fourth component.
  private static let clearBackground = Array("11;rgba:".utf8)

  /// `4;255;rgb:ffff/ffff/ffff`, the answer to ``ControlSequence/colorQuestion``.
  private static let lastColor = Array("4;255;rgb".utf8)
  /// `1+r436F=323536`: both the name `Co` and its value in hexadecimal digits.
  private static let colorCount = Array("1+r436f=".utf8)

  mutating func take(_ byte: UInt8) {
    // Keeping one byte more than any answer has shows that it is something else.
    if bytes.count <= Self.limit { bytes.append(byte) }
  }

  /// Whether the answer is `Gi=<image>;OK`: the terminal shows images.
  var showsImages: Bool { bytes == Self.images }

  /// Whether the answer has the last of 256 colors.
  var hasLastColor: Bool { bytes.count <= Self.limit && bytes.starts(with: Self.lastColor) }

  /// Whether the answer is a number of colors from 256 on.
  var countsManyColors: Bool {
    let text = String(decoding: bytes, as: UTF8.self).lowercased().utf8
    guard bytes.count <= Self.limit, text.starts(with: Self.colorCount) else { return false }
    let digits = Array(text.dropFirst(Self.colorCount.count))
    guard digits.count.isMultiple(of: 2) else { return false }
    let value = stride(from: 0, to: digits.count, by: 2).map { place in
      Self.hexadecimal(digits[place..<place + 2])
    }
    guard let number = Int(String(decoding: value.compactMap { $0.map(UInt8.init) }, as: UTF8.self))
    else { return false }
    return number >= 256 && value.allSatisfy { $0 != nil }
  }

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
    guard (1...4).contains(digits.count), let value = hexadecimal(digits) else { return nil }
    let greatest = (1 << (4 * digits.count)) - 1
    return UInt8((value * 255 + greatest / 2) / greatest)
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
