/// Why a valid time expression names no instant of this file.
public enum TimeResolutionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Something about the file is unknown.
  case missing(Fact)
  /// There is no frame of this number: they go from 0 to `count`, which is the end of the last one.
  case frameOutOfRange(Int64, count: Int64?)
  /// There is no keyframe of this number: they count from 1 to `count`.
  case keyframeOutOfRange(Int64, count: Int)
  /// The keyframe of this number is in the file but not shown.
  case keyframeHidden(Int64)
  /// There is no chapter of this number: they count from 1 to `count`.
  case chapterOutOfRange(Int64, count: Int)
  /// The label names no frame at the file's frame rate, or in its drop-frame or non-drop counting.
  case timecode(TimecodeError)
  /// The label is before the start of the file's own timecode.
  case timecodeOutside(TimecodeLabel, start: TimecodeLabel)
  /// The file's own timecode is reset before it reaches that label.
  case timecodeLeftOut(TimecodeLabel)
  /// The exact instant needs more than 64 bits.
  case arithmetic(ExactTimeError)
  /// The range ends before it starts, or where it starts.
  case notForward(from: MediaTime, to: MediaTime)

  /// The facts that an expression can require.
  public enum Fact: Hashable, Sendable, CaseIterable {
    /// Where the presented range starts and ends.
    case presentedRange
    /// When each frame is shown.
    case frameTimes
    /// The nominal frame rate, which timecode counts in.
    case frameRate
    /// The file's own timecode.
    case sourceTimecode
    /// The keyframes of the video.
    case keyframes
    /// The chapters of the file.
    case chapters
    /// The in point of a trimmer.
    case inPoint
    /// The out point of a trimmer.
    case outPoint
    /// The start of the range, for `+10`.
    case from
  }

  /// One sentence without its period, with what to do where something helps.
  public var description: String {
    switch self {
    case .missing(let fact): fact.absence
    case .frameOutOfRange(let number, let count?):
      "no frame \(number): this file has \(count), counted from 0"
    case .frameOutOfRange(let number, nil): "no frame \(number): frames count from 0"
    case .keyframeOutOfRange(let number, let count):
      "no keyframe \(number): this file has \(count), counted from 1"
    case .keyframeHidden(let number):
      "keyframe \(number) is not shown: it is outside what the file presents"
    case .chapterOutOfRange(let number, let count):
      "no chapter \(number): this file has \(count), counted from 1"
    case .timecode(let error): "\(error)"
    case .timecodeOutside(let label, let start):
      "\(label) is not in the file, whose own timecode begins at \(start)"
    case .timecodeLeftOut(let label):
      "no frame is labeled \(label): the file's own timecode is reset before it reaches that label"
    case .arithmetic(let error): "\(error)"
    case .notForward(let from, let to):
      "the range ends at \(Self.shown(to)) s, which is not after \(Self.shown(from)) s"
    }
  }
}

extension TimeResolutionError {
  private static func shown(_ time: MediaTime) -> String {
    time.seconds.exactDecimal ?? time.seconds.decimalText(places: 9, rounding: .nearest).text
  }
}

extension TimeResolutionError.Fact {
  /// A sentence about what is unknown.
  fileprivate var absence: String {
    switch self {
    case .presentedRange: "where the file starts and ends is not known"
    case .frameTimes: "the times of the frames are not known; give the time in seconds"
    case .frameRate: "timecode needs a video with a known frame rate; give the time in seconds"
    case .sourceTimecode: "the file has no timecode of its own; omit 'tc:' to count from 0"
    case .keyframes: "the keyframes are not known"
    case .chapters: "the chapters are not known"
    case .inPoint: "there is no in point here: 'in' can be typed only on a trimming screen"
    case .outPoint: "there is no out point here: 'out' can be typed only on a trimming screen"
    case .from: "'+' counts from the start of a range, and there is none"
    }
  }
}

/// Runs exact arithmetic, reporting its errors as ``TimeResolutionError``.
func exactly<Value>(
  _ body: () throws(ExactTimeError) -> Value
) throws(TimeResolutionError) -> Value {
  do {
    return try body()
  } catch {
    throw .arithmetic(error)
  }
}
