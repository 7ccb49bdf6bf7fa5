/// The error for a text that is not a time: what is wrong, and at which character.
public struct TimeSyntaxError: Error, Hashable, Sendable {
  /// What is wrong, without the position.
  public let reason: Reason
  /// The text that was read, or its beginning where it is longer than ``longestText``.
  public let text: String
  /// The position in the text, in bytes of UTF-8 from 0; the text's length where something is missing.
  public let offset: Int

  /// The longest text that is parsed, in bytes of UTF-8.
  public static let longestText = 256

  /// The position in the text in Unicode scalars, from 1, for people.
  public var column: Int {
    var rest = offset
    var column = 1
    for scalar in text.unicodeScalars {
      rest -= UTF8.width(scalar)
      if rest < 0 { break }
      column += 1
    }
    return column
  }

  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// Nothing but blanks.
    case empty
    /// More bytes of UTF-8 than ``TimeSyntaxError/longestText``.
    case tooLong
    /// A character that is not valid here.
    case unexpectedCharacter
    /// The text stops where a number must follow.
    case missingNumber
    /// `.5` and `5.`: a decimal point needs digits on both sides, so that `1..5` is unambiguous.
    case pointWithoutDigits
    /// A word other than `start`, `end`, `in` and `out`.
    case unknownWord(String)
    /// A unit after a number other than `h`, `m`, `s`, `ms`, `us` and `f`, or out of order.
    case unknownUnit(String)
    /// A number without a unit after one with a unit: `1h30`.
    case missingUnit
    /// Minutes or seconds of 60 or more after a `:`.
    case sixtyOrMore
    /// More than two digits after a `:`.
    case tooManyDigits
    /// More fields than hours, minutes, seconds and frames.
    case tooManyFields
    /// A timecode with hours of 24 or more, or a frame number that no rate has.
    case timecodeOutOfRange
    /// A label that drop-frame timecode leaves out.
    case droppedLabel(TimecodeLabel)
    /// The exact value needs more than 64 bits.
    case numberTooLarge
    /// A fraction whose denominator is 0.
    case divisionByZero
    /// Keyframes and chapters are counted from 1.
    case countedFromOne
    /// A percentage of more than 100.
    case overHundredPercent
    /// `-` before anything but seconds, clock times and frames.
    case notFromEnd
    /// `+10` where no other time comes before it.
    case relativeToNothing
    /// Something other than a timecode after `tc:`.
    case notTimecode
    /// A single time where a range is needed.
    case notRange
    /// A frame, timecode or percentage where a plain length is needed.
    case notPlainLength
    /// Something other than `t=` with a range in normal play time, in a media fragment.
    case unknownFragment
    /// A media fragment whose end is not after its start.
    case reversedFragment
  }
}

extension TimeSyntaxError.Reason: CustomStringConvertible {
  /// One sentence without its period, with what to write instead.
  public var description: String {
    switch self {
    case .empty: "a time is missing here; write one such as 60.5, 1:00.5 or 1815f"
    case .tooLong: "a time has at most \(TimeSyntaxError.longestText) characters"
    case .unexpectedCharacter: "this character is not allowed here"
    case .missingNumber: "a number is missing here"
    case .pointWithoutDigits: "a decimal point needs digits on both sides, as in 0.5"
    case .unknownWord(let word):
      "'\(word)' is not a known word; the words are start, end, in and out"
    case .unknownUnit(let unit):
      "'\(unit)' is not a unit here; the units are h, m, s, ms, us and f for frames, as in 1h30m"
    case .missingUnit: "a unit is missing here, as in 1h30m"
    case .sixtyOrMore: "minutes and seconds after a ':' go from 0 to 59"
    case .tooManyDigits: "one or two digits follow each ':'"
    case .tooManyFields: "a time has at most hours:minutes:seconds and frames"
    case .timecodeOutOfRange:
      "a timecode has hours 0 to 23 and frames 0 to \(TimecodeRate.highest - 1)"
    case .droppedLabel(let label):
      "drop-frame timecode skips this label; the next one is \(label.firstKept)"
    case .numberTooLarge: "the exact value needs more than 64 bits"
    case .divisionByZero: "the denominator of a fraction cannot be zero"
    case .countedFromOne: "keyframes and chapters are counted from 1"
    case .overHundredPercent: "a percentage goes from 0 to 100"
    case .notFromEnd: "'-' counts from the end and comes before seconds, a clock time or frames"
    case .relativeToNothing: "'+' counts from another time, and there is none before it"
    case .notTimecode: "a timecode follows 'tc:', as in tc:01:00:00:15"
    case .notRange: "a range is written FROM..TO or FROM+LENGTH"
    case .notPlainLength: "a length is needed here, such as 60.5, 1:00.5 or 121/2"
    case .unknownFragment: "'#' is followed by t=FROM,TO in seconds or hours:minutes:seconds"
    case .reversedFragment: "the end is not after the start"
    }
  }
}

extension TimeSyntaxError: CustomStringConvertible {
  /// One line, such as `minutes and seconds after a ':' go from 0 to 59 (character 3)`.
  public var description: String { "\(reason) (character \(column))" }
}
