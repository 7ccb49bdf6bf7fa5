/// `HTTP-date` (RFC 9110, 5.6.7), in the form that is written today and the two that are to be understood.
enum HTTPDate {
  /// Seconds since 1970; `nil` for what is no such date.
  static func seconds(_ text: String) -> Int64? {
    // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    let isOldest = words.count == 5
    guard isOldest || words.count == 6 && words[5] == "GMT" else { return nil }
    let names =
      isOldest ? (day: 2, month: 1, year: 4, time: 3) : (day: 1, month: 2, year: 3, time: 4)
    guard let day = number(words[names.day], 1...31),
      let month = months.firstIndex(of: words[names.month]), let year = year(words[names.year]),
      let second = second(words[names.time])
    else { return nil }
    return days(year, Int64(month) + 1, day) * 86_400 + second
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: some StringProtocol, _ allowed: ClosedRange<Int64>) -> Int64? {
    guard !text.isEmpty, let number = ContentRange.number(text), allowed.contains(number) else {
      return nil
    }
    return number
  }

  /// Two digits mean a year from 1970 on, as in cookies (RFC 6265, 5.1.1).
  private static func year(_ text: String) -> Int64? {
    guard text.utf8.count == 2 else { return number(text, 1900...9999) }
    return number(text, 0...99).map { $0 + ($0 < 70 ? 2000 : 1900) }
  }

  private static func second(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], 0...23),
      let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Days since 1970 in the Gregorian calendar; a year begins in March, so that a leap day is its last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
  }
}
