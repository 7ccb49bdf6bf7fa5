/// What is known of a file when a time is to be found in it.
///
/// `nil` means unknown: an expression that needs it says so.
public struct TimelineContext: Sendable {
  /// What a player shows, on the file's own timeline.
  public var presented: MediaTimeRange?
  /// The instant that `0` names: the presented start, unless told otherwise.
  public var zero: MediaTime
  /// When each frame starts.
  public var frames: FrameStarts?
  /// The nominal rate, which timecode counts in.
  public var frameRate: Rational?
  /// The file's own timecode at frame 0; `nil` counts from 00:00:00:00.
  public var startTimecode: TimecodeLabel?
  /// The clock of the file's own timecode, where it has one that runs apart from the frames; `nil` counts
  /// frames from ``startTimecode`` on.
  public var timecodeClock: TimecodeClock?
  /// Keyframes in presentation order, those too that are not shown: they are counted as they are
  /// listed.
  public var keyframes: [MediaTime]?
  /// The numbers, from 1, of the keyframes that are not shown, such as an edit list hides.
  public var hiddenKeyframes: Set<Int64> = []
  /// The starts of the chapters, in order.
  public var chapters: [MediaTime]?
  /// The in point of a trimmer, which `in` names.
  public var inPoint: MediaTime?
  /// The out point of a trimmer, which `out` names.
  public var outPoint: MediaTime?

  /// Creates the context of a file of which only the presented range is known, or not even that.
  public init(presented: MediaTimeRange?) {
    self.presented = presented
    zero = presented?.start ?? .zero
  }
}
