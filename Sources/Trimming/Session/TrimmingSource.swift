public import ExactTime

/// A file that parts of a session are taken from.
public struct TrimmingSource: Hashable, Sendable, Codable {
  /// The file's name for the ports, passed on unchanged.
  public var location: String
  /// The presented range on the file's own timeline.
  public var bounds: MediaTimeRange
  /// What is known about its frames.
  public var timings: VideoTimings

  /// Creates a file; its own ``VideoTimings/bounds`` are not used.
  public init(location: String, bounds: MediaTimeRange, timings: VideoTimings = VideoTimings()) {
    self.location = location
    self.bounds = bounds
    self.timings = timings
  }
}
