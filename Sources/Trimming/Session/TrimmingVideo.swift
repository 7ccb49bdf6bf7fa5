public import ExactTime

/// The video that a trimming screen is opened with.
public struct TrimmingVideo: Hashable, Sendable {
  /// A name for the ports and the log, passed on unchanged: a path, a URL, an asset identifier.
  public var location: String
  /// The presented range on the video's own timeline; its start need not be zero.
  public var bounds: MediaTimeRange
  /// What is selected when the screen opens; clamped to ``bounds``, or the whole video when none of
  /// it is inside.
  public var initialRange: MediaTimeRange

  /// Creates a video; without an initial range all of it is selected.
  public init(location: String, bounds: MediaTimeRange, initialRange: MediaTimeRange? = nil) {
    self.location = location
    self.bounds = bounds
    self.initialRange = initialRange ?? bounds
  }

  /// Creates a video whose timeline starts at zero; a negative duration counts as zero.
  public init(duration: MediaDuration, location: String, initialRange: MediaTimeRange? = nil) {
    let end = MediaTime(seconds: max(.zero, duration).seconds)
    guard let bounds = MediaTimeRange(from: .zero, to: end) else {
      preconditionFailure("a length of zero or more ends before it starts")
    }
    self.init(location: location, bounds: bounds, initialRange: initialRange)
  }
}

/// What is known about a video once it has loaded.
public struct VideoTimings: Hashable, Sendable, Codable {
  /// The presented range; `nil` keeps the one the screen was opened with.
  public var bounds: MediaTimeRange?
  /// When each frame is shown, on the video's own timeline.
  public var frames: FrameInstants
  /// When each keyframe is shown, on the video's own timeline.
  public var keyframes: FrameInstants

  /// Creates timings; without frames, nothing snaps to frames and stepping by frames does nothing.
  public init(
    bounds: MediaTimeRange? = nil, frames: FrameInstants = .unknown,
    keyframes: FrameInstants = .unknown
  ) {
    self.bounds = bounds
    self.frames = frames
    self.keyframes = keyframes
  }
}

/// Why a video cannot be shown: a user-facing sentence and a hint.
public struct VideoFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// One user-facing sentence.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?

  /// Creates a failure; both texts are shown as they are.
  public init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// The message, without the hint.
  public var description: String { message }

  static let unusableLength = VideoFailure(
    "the video has no usable length", hint: "choose another file, or repair this one")
}
