import ExactTime
import ISOMedia

/// A date with a time of day and a time zone as text (ISO 8601), such as
/// `2023-05-06T12:13:14+0200`.
struct CalendarTime: CustomStringConvertible {
  /// From 1970, as if the zone were UTC.
  private var local: Rational
  /// Digits after the second.
  private var places: Int
  /// Between date and time: `T` or a space.
  private var separator: Character
  /// As in the text; empty where it states none.
  private var zone: String
  /// By how much the zone is ahead of UTC.
  private var offset: Int64

  /// `nil` for other texts, such as a date alone.
  init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(64))
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count,
        bytes[range].allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    func hasMark(_ mark: Character, at place: Int) -> Bool {
      place < bytes.count && bytes[place] == mark.asciiValue
    }
    guard let year = number(0..<4), year >= 1, hasMark("-", at: 4), let month = number(5..<7),
      (1...12).contains(month), hasMark("-", at: 7), let day = number(8..<10),
      (1...31).contains(day), hasMark("T", at: 10) || hasMark(" ", at: 10),
      let hour = number(11..<13), hour < 24, hasMark(":", at: 13), let minute = number(14..<16),
      minute < 60, hasMark(":", at: 16), let second = number(17..<19), second <= 60
    else { return nil }
    var end = 19
    if hasMark(".", at: 19) {
      end = bytes[20...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
    }
    places = max(0, end - 20)
    guard places <= 9, end != 20 else { return nil }
    zone = String(decoding: bytes[end...], as: UTF8.self)
    separator = hasMark("T", at: 10) ? "T" : " "
    offset = 0
    if !zone.isEmpty, zone != "Z" {
      let digits = bytes[(end + 1)...].filter { $0 != UInt8(ascii: ":") }
      guard hasMark("+", at: end) || hasMark("-", at: end), [2, 4].contains(digits.count),
        let ahead = Int64(String(decoding: digits, as: UTF8.self)), ahead >= 0
      else { return nil }
      let (hours, minutes) = digits.count == 2 ? (ahead, 0) : (ahead / 100, ahead % 100)
      guard hours < 24, minutes < 60 else { return nil }
      offset = (hasMark("-", at: end) ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
    let days = MacintoshTime.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    let fraction = places > 0 ? number(20..<end) ?? 0 : 0
    guard let sum = try? Rational(seconds).adding(Rational(fraction, Self.power(places))) else {
      return nil
    }
    local = sum
  }

  private static func power(_ places: Int) -> Int64 {
    (0..<places).reduce(1) { power, _ in power * 10 }
  }

  /// Seconds from 1970.
  var unixSeconds: Rational { (try? local.subtracting(Rational(offset))) ?? local }

  /// The same in the same zone; `nil` beyond the year 9999.
  func later(by length: MediaDuration) -> CalendarTime? {
    var copy = self
    // Rounded first: the exact sum may need larger numbers, and gives the same digits.
    let unit = Rational(Self.power(places))
    guard let count = try? length.seconds.multiplied(by: unit).rounded(.down),
      let moved = try? Rational(count).divided(by: unit), let sum = try? local.adding(moved),
      sum < Rational(253_402_300_800),
      sum >= Rational(-62_135_596_800)
    else { return nil }
    copy.local = sum
    return copy
  }

  /// With as many digits as the original, rounded down.
  var description: String {
    let unit = Self.power(places)
    guard let count = try? local.multiplied(by: Rational(unit)).rounded(.down) else { return "" }
    func floored(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
      let rest = ((value % divisor) + divisor) % divisor
      return ((value - rest) / divisor, rest)
    }
    func padded(_ value: Int64, _ digits: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let (seconds, fraction) = floored(count, by: unit)
    let (days, second) = floored(seconds, by: 86_400)
    let date = MacintoshTime.date(daysSince1970: days)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))\(separator)"
      + clock.joined(separator: ":") + (places > 0 ? "." + padded(fraction, places) : "") + zone
  }
}
