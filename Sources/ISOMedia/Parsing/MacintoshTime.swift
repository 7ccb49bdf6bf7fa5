/// Dates in headers: seconds since 1904 (ISO 14496-12, 8.2.2).
package enum MacintoshTime {
  private static let secondsTo1970: UInt64 = 2_082_844_800

  /// Seconds since 1970; `nil` for 0.
  ///
  /// Some writers count from 1970, against the standard: a date before 1970 is taken as counted
  /// that way.
  package static func unixSeconds(_ value: UInt64) -> Int64? {
    guard value != 0, let seconds = Int64(exactly: value) else { return nil }
    return value >= secondsTo1970 ? seconds - Int64(secondsTo1970) : seconds
  }

  /// The date as FFmpeg writes it: `2014-05-17T10:20:30.000000Z`; `nil` beyond the year 9999.
  package static func text(unixSeconds: Int64) -> String? {
    guard unixSeconds >= 0, unixSeconds < 253_402_300_800 else { return nil }
    let (days, second) = unixSeconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = date(daysSince1970: days)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(day))T\(two(second / 3600)):\(two(second / 60 % 60)):"
      + "\(two(second % 60)).000000Z"
  }

  /// The Gregorian date: counted in eras of 400 years that begin on a 1 March.
  package static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }
}

extension MacintoshTime {
  /// The days from 1970 to a Gregorian date.
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension [ISOTag] {
  /// Adds the creation time of a header as FFmpeg does, unless the metadata has one.
  mutating func addCreationTime(_ unixSeconds: Int64?) {
    guard let unixSeconds, let text = MacintoshTime.text(unixSeconds: unixSeconds) else { return }
    guard !contains(where: { $0.key == "creation_time" }) else { return }
    append(ISOTag(key: "creation_time", value: text))
  }
}
