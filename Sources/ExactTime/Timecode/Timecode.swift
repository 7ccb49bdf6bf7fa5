/// A frame's label at a given rate, drop-frame or not (SMPTE ST 12-1).
///
/// It labels a frame and is not a time: at 29.97 frames per second the non-drop label `01:00:00:00` comes 3.6
/// s after an hour by the clock.
public struct Timecode: Hashable, Sendable {
  /// The rate at which frames are labeled, and whether labels are dropped.
  public let rate: TimecodeRate
  /// Frames since midnight, from 0 to one less than ``TimecodeRate/framesPerDay``.
  public let frameNumber: Int64

  /// The timecode `frame` frames after midnight; it wraps at 24 hours, either way.
  public init(frame: Int64, rate: TimecodeRate) {
    let rest = frame % rate.framesPerDay
    self.rate = rate
    frameNumber = rest < 0 ? rest + rate.framesPerDay : rest
  }

  /// Creates the timecode that a label names at a rate.
  ///
  /// - Throws: ``TimecodeError`` for a label that this rate does not have, and for a drop-frame label
  ///   at a non-drop rate or the reverse.
  public init(_ label: TimecodeLabel, rate: TimecodeRate) throws(TimecodeError) {
    guard label.isDropFrame == rate.isDropFrame else {
      throw .mixedCounting(label, isFileDropFrame: rate.isDropFrame)
    }
    guard label.frames < rate.labelsPerSecond else {
      throw .frameOutOfRange(label, labelsPerSecond: rate.labelsPerSecond)
    }
    guard !label.isDropped(perMinute: rate.droppedPerMinute) else { throw .droppedLabel(label) }
    let minutes = Int64(label.hours * 60 + label.minutes)
    let labels = (minutes * 60 + Int64(label.seconds)) * rate.labelsPerSecond + Int64(label.frames)
    self.rate = rate
    frameNumber = labels - rate.droppedPerMinute * (minutes - minutes / 10)
  }

  /// The label of this frame.
  public var label: TimecodeLabel {
    let perSecond = rate.labelsPerSecond
    let tens = frameNumber / rate.framesPerTenMinutes
    let rest = frameNumber % rate.framesPerTenMinutes
    // The first of every ten minutes keeps all its labels; the other nine are shorter.
    let later = rest - perSecond * 60
    let minutes = later < 0 ? 0 : 1 + later / rate.framesPerMinute
    let count = frameNumber + rate.droppedPerMinute * (tens * 9 + minutes)
    let seconds = count / perSecond
    return TimecodeLabel(
      unchecked: Int(seconds / 3600), Int(seconds / 60 % 60), Int(seconds % 60),
      Int(count % perSecond), rate.isDropFrame)
  }

  /// Frames from `earlier` forward to this timecode, across midnight if necessary; never negative.
  public func frames(since earlier: Timecode) -> Int64 {
    Timecode(frame: frameNumber - earlier.frameNumber, rate: rate).frameNumber
  }

  /// The timecode `frames` later, or earlier for a negative count; it wraps at 24 hours.
  public func advanced(byFrames frames: Int64) -> Timecode {
    // Reduced first, so that no count overflows 64 bits.
    Timecode(frame: frameNumber + frames % rate.framesPerDay, rate: rate)
  }
}

extension Timecode: CustomStringConvertible {
  /// The label as written, such as `01:00:00;02`.
  public var description: String { label.description }
}
