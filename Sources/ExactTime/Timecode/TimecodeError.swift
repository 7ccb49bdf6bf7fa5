/// Why a timecode names no frame.
public enum TimecodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Hours, minutes, seconds or frames that no timecode has.
  case fieldOutOfRange
  /// The frame number reaches or exceeds the rate: `00:00:00:25` at 25 frames per second.
  case frameOutOfRange(TimecodeLabel, labelsPerSecond: Int64)
  /// A label that drop-frame counting leaves out.
  case droppedLabel(TimecodeLabel)
  /// Neither a whole rate nor 1000/1001 of one.
  case unsupportedRate(Rational)
  /// Drop-frame counting exists at 30000/1001 and 60000/1001 only.
  case noDropFrame(Rational)
  /// A drop-frame label is used with non-drop timecode, or the reverse.
  case mixedCounting(TimecodeLabel, isFileDropFrame: Bool)

  /// One sentence without its period, with what to write instead where something fits.
  public var description: String {
    switch self {
    case .fieldOutOfRange:
      "a timecode has hours 0 to 23, minutes and seconds 0 to 59"
    case .frameOutOfRange(let label, let count):
      "\(label): at this rate frames go from 0 to \(count - 1)"
    case .droppedLabel(let label):
      "\(label): drop-frame timecode skips this label; the next one is \(label.firstKept)"
    case .unsupportedRate(let rate):
      "there is no timecode at \(rate) frames per second; give the time in seconds or as a frame number"
    case .noDropFrame(let rate):
      "drop-frame timecode exists at 30000/1001 and 60000/1001 frames per second, not at \(rate);"
        + " write ':' before the frames"
    case .mixedCounting(let label, let isFileDropFrame):
      "\(label): the file's own timecode is \(isFileDropFrame ? "" : "not ")drop-frame;"
        + " write '\(isFileDropFrame ? ";" : ":")' before the frames"
    }
  }
}
