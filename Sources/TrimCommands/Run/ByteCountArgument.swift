import CommandLineKit
import ExactTime

/// Reads an option whose value is a number of bytes: `25000000`, `1.5M`, `24MiB`.
enum ByteCountArgument {
  /// Decimal units (SI) and binary ones (IEC 80000-13).
  private static let units: [(name: String, bytes: Int64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1000), ("MB", 1_000_000),
    ("GB", 1_000_000_000), ("k", 1000), ("M", 1_000_000), ("G", 1_000_000_000),
  ]

  /// - Throws: `UsageError` for anything but a positive number of bytes below 2^63; fractions of a byte are
  ///   dropped.
  static func parse(
    _ value: ArgumentText, option: String, command: String
  ) throws(UsageError) -> Int64 {
    let text = value.text ?? ""
    let unit = units.first { text.hasSuffix($0.name) }
    guard let number = number(text.dropLast(unit?.name.count ?? 0)),
      let bytes = try? number.multiplied(by: Rational(unit?.bytes ?? 1)).rounded(.down), bytes > 0
    else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--\(option) <bytes>': it must be an amount such "
          + "as 25000000, 25M or 24MiB.", command: command)
    }
    return bytes
  }

  /// Parses digits with an optional decimal fraction.
  private static func number(_ text: Substring) -> Rational? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let places = parts.dropFirst().first?.count ?? 0
    guard parts.count < 3, places < 10, !parts.contains(""),
      text.allSatisfy({ $0 == "." || $0.isASCII && $0.isNumber }),
      let digits = Int64(parts.joined())
    else { return nil }
    return try? Rational(
      checked: Int128(digits), over: (0..<places).reduce(Int128(1)) { power, _ in power * 10 })
  }
}
