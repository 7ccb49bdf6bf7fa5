extension MediaTime {
  /// Hours, minutes and seconds for people: `0:01:40.600`; hours have no upper limit.
  ///
  /// - Parameters:
  ///   - places: digits after the point, 0…18.
  ///   - rounding: of the signed value, where the places cannot hold it exactly.
  public func clockText(places: Int, rounding: Rounding) -> RoundedText {
    seconds.clockText(places: places, rounding: rounding)
  }

  /// Seconds for people: `100.600`.
  public func secondsText(places: Int, rounding: Rounding) -> RoundedText {
    seconds.decimalText(places: places, rounding: rounding)
  }
}

extension MediaDuration {
  /// Hours, minutes and seconds for people: `0:01:40.600`; hours have no upper limit.
  ///
  /// - Parameters:
  ///   - places: digits after the point, 0…18.
  ///   - rounding: of the signed value, where the places cannot hold it exactly.
  public func clockText(places: Int, rounding: Rounding) -> RoundedText {
    seconds.clockText(places: places, rounding: rounding)
  }

  /// Seconds for people: `100.600`.
  public func secondsText(places: Int, rounding: Rounding) -> RoundedText {
    seconds.decimalText(places: places, rounding: rounding)
  }
}

extension Rational {
  func clockText(places: Int, rounding: Rounding) -> RoundedText {
    rounded(toPlaces: places, rounding) { whole, fraction in
      func two(_ value: UInt128) -> String { value < 10 ? "0\(value)" : "\(value)" }
      return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))\(fraction)"
    }
  }
}
