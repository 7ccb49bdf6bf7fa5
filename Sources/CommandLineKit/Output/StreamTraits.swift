import Glibc

/// What one output stream can show: stdout and stderr are examined separately.
package struct StreamTraits: Sendable, Equatable, Codable {
  package var isTerminal: Bool
  package var usesColor: Bool
  /// False in a locale without UTF-8: everything beyond ASCII is then escaped.
  package var isUTF8: Bool
  /// Cells per line, 1…10,000.
  package var columns: Int
  /// Whether a line may be rewritten: a terminal that is not dumb and not used with a screen
  /// reader.
  package var redraws: Bool

  package static let widest = 10_000
  package static let usualColumns = 80

  package init(
    isTerminal: Bool, terminalColumns: Int?, color: ColorChoice, isPlain: Bool,
    environment: Environment
  ) {
    self.isTerminal = isTerminal
    usesColor = !isPlain && color.usesColor(isTerminal: isTerminal, environment: environment)
    isUTF8 = Self.isUTF8Locale(environment)
    let stated = environment["COLUMNS"].flatMap { Int($0) } ?? terminalColumns
    columns = min(max(1, stated ?? Self.usualColumns), Self.widest)
    if let stated, stated <= 0 { columns = Self.usualColumns }
    let terminal = environment["TERM"]
    redraws = isTerminal && !isPlain && terminal != nil && terminal != "dumb"
  }

  /// The traits of a descriptor of this process.
  package static func ofDescriptor(
    _ descriptor: Int32, color: ColorChoice, isPlain: Bool, environment: Environment
  ) -> StreamTraits {
    let isTerminal = isatty(descriptor) == 1
    return StreamTraits(
      isTerminal: isTerminal, terminalColumns: isTerminal ? columns(of: descriptor) : nil,
      color: color, isPlain: isPlain, environment: environment)
  }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The locale's character set as defined by POSIX: `LC_ALL`, else `LC_CTYPE`, else `LANG`.
  private static func isUTF8Locale(_ environment: Environment) -> Bool {
    let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
    let charset = locale.split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
    let name = charset.prefix { $0 != "@" }.lowercased()
    return name == "utf-8" || name == "utf8"
  }
}
