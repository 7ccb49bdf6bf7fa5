import EditLists
import ExactTime

/// Reads a list, whose format is recognised by its content.
func readList(
  _ text: String, rate: Rational? = nil, end: MediaTime? = nil
) throws(ListError) -> EditList {
  try EditListFormat.read(
    Array(text.utf8), context: EditListFormat.Context(rate: rate, end: end))
}

/// The error of a list that should not be read, or what was read.
func readFailure(_ text: String, rate: Rational? = nil, end: MediaTime? = nil) -> String {
  do { return "\(try readList(text, rate: rate, end: end))" } catch { return "\(error)" }
}

/// The error of a list that should not be written, or what was written.
func writeFailure(_ format: EditListFormat, _ list: EditList) -> String {
  do { return try format.write(list).text } catch { return "\(error)" }
}

/// A range in frames of a rate.
func frames(_ start: Int64, _ end: Int64, at rate: Rational) -> MediaTimeRange {
  guard
    let range = MediaTimeRange(
      from: MediaTime(seconds: Rational(start) / rate), to: MediaTime(seconds: Rational(end) / rate)
    )
  else { preconditionFailure("\(start) is after \(end)") }
  return range
}

extension Rational {
  static let ntsc = Rational(30000, 1001)
  static let film = Rational(24000, 1001)
}
