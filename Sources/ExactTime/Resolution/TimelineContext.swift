/// What is known about a file when resolving times in it.
///
/// `nil` means unknown: an expression that needs it throws.
public struct TimelineContext: Sendable {
  /// What a player shows, on the file's own timeline.
  public var presented: MediaTimeRange?
  /// The instant that `0` names: the presented start, unless set otherwise.
  public var zero: MediaTime
  /// When each frame starts.
  public var frames: FrameStarts?
  /// The nominal rate, which timecode counts in.
  public var frameRate: Rational?
  /// The file's own timecode at frame 0; `nil` counts from 00:00:00:00.
  public var startTimecode: TimecodeLabel?
  /// The clock of the file's own timecode, where it runs independently of the frames; `nil` counts frames
  /// from ``startTimecode`` on.
  public var timecodeClock: TimecodeClock?
  /// Keyframes in presentation order, including those that are not shown: they are numbered as listed.
  public var keyframes: [MediaTime]?
  /// The numbers, from 1, of the keyframes that are not shown, such as those hidden by an edit list.
  public var hiddenKeyframes: Set<Int64> = []
  /// The starts of the chapters, in order.
  public var chapters: [MediaTime]?
  /// The in point of a trimmer, which `in` names.
  public var inPoint: MediaTime?
  /// The out point of a trimmer, which `out` names.
  public var outPoint: MediaTime?

  /// Creates a context in which at most the presented range is known.
  public init(presented: MediaTimeRange?) {
    self.presented = presented
    zero = presented?.start ?? .zero
  }
}
