/// Hours, minutes, seconds and frames as written: `00:01:00:15`, or `00:01:00;15` in drop-frame.
///
/// A label on its own names no instant: that takes a ``TimecodeRate``, which gives the frames per
/// second.
public struct TimecodeLabel: Hashable, Sendable {
  /// Hours since midnight, 0…23.
  public let hours: Int
  /// Minutes of the hour, 0…59.
  public let minutes: Int
  /// Seconds of the minute, 0…59.
  public let seconds: Int
  /// The frame within the second, 0…119 and below the rate's ``TimecodeRate/labelsPerSecond``.
  public let frames: Int
  /// True for drop-frame, written with `;` before the frames.
  public let isDropFrame: Bool

  /// Creates a label from its four fields.
  ///
  /// - Throws: ``TimecodeError/fieldOutOfRange``, and ``TimecodeError/droppedLabel(_:)`` for labels
  ///   that no drop-frame rate has.
  public init(
    hours: Int, minutes: Int, seconds: Int, frames: Int, isDropFrame: Bool
  ) throws(TimecodeError) {
    guard (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds),
      (0..<Int(TimecodeRate.highest)).contains(frames)
    else { throw .fieldOutOfRange }
    self.init(unchecked: hours, minutes, seconds, frames, isDropFrame)
    // 00 and 01 are dropped at both drop-frame rates; 02 and 03 at 59.94 only.
    if isDropped(perMinute: 2) { throw .droppedLabel(self) }
  }

  init(
    unchecked hours: Int, _ minutes: Int, _ seconds: Int, _ frames: Int, _ isDropFrame: Bool
  ) {
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
    self.isDropFrame = isDropFrame
  }

  /// SMPTE ST 12-1: the first labels of every minute are left out, except in minutes 0, 10, …, 50.
  func isDropped(perMinute count: Int64) -> Bool {
    isDropFrame && seconds == 0 && !minutes.isMultiple(of: 10) && frames < count
  }

  /// The first label of this minute that is in use, at the rate this label's frames suggest.
  var firstKept: TimecodeLabel {
    TimecodeLabel(unchecked: hours, minutes, seconds, frames < 2 ? 2 : 4, isDropFrame)
  }
}

extension TimecodeLabel: CustomStringConvertible {
  /// Two digits per field, three for frames from 100: `00:01:00;02`.
  public var description: String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(hours)):\(two(minutes)):\(two(seconds))\(isDropFrame ? ";" : ":")\(two(frames))"
  }
}

extension TimecodeLabel {
  /// Reads a label as stored in files; `;` or `.` before the frames means drop-frame.
  ///
  /// - Returns: `nil` for text that is not a label.
  public init?(stored text: some StringProtocol) {
    let fields = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
    let numbers = fields.compactMap { field in
      field.count == 2 && field.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(field) : nil
    }
    guard fields.count == 4, numbers.count == 4,
      let separator = text.dropLast(2).last,
      text.filter({ ";.".contains($0) }).count == (separator == ":" ? 0 : 1),
      let label = try? TimecodeLabel(
        hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3],
        isDropFrame: separator != ":")
    else { return nil }
    self = label
  }
}
