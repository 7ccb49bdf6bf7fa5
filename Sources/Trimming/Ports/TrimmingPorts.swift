public import ExactTime

/// All external dependencies of a trimming screen, as functions: an app, a tool and a test each
/// provide their own.
///
/// Asynchronous functions are called on the main actor and must leave it for work that blocks. All
/// of them are expected to end soon after their task is cancelled.
public struct TrimmingPorts: Sendable {
  /// Finds out what the video is when the screen loads.
  public var probe: ProbePort
  /// Stores whether the screen was ever visited, for the tutorial.
  public var flags: FirstVisitFlag
  /// Writes the parts when the user exports.
  public var export: ExportPort
  /// Makes stills for a handle that moves; ``PicturePort/none`` for screens without.
  public var pictures: PicturePort
  /// Receives screen events and user actions, for analytics.
  public var log: LogPort
  /// The clock that measures ``PicturePort/delay``.
  public var clock: any Clock<Duration>

  /// Creates the ports of one screen; only probing, the flag and the export have no default.
  public init(
    probe: ProbePort, flags: FirstVisitFlag, export: ExportPort, pictures: PicturePort = .none,
    log: LogPort = .none, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.probe = probe
    self.flags = flags
    self.export = export
    self.pictures = pictures
    self.log = log
    self.clock = clock
  }
}

/// Finds out what a video is.
public struct ProbePort: Sendable {
  /// The presented range and the frames of the video at a location.
  ///
  /// - Throws: ``VideoFailure``, or any error, whose text the screen then shows.
  public var timings: @Sendable (_ location: String) async throws -> VideoTimings

  /// Creates a port from a function that reads the video.
  public init(timings: @escaping @Sendable (_ location: String) async throws -> VideoTimings) {
    self.timings = timings
  }
}

/// Writes the selected part to a file.
public struct ExportPort: Sendable {
  /// Reports the progress of an export, from 0 to 1; may be called on any thread.
  public typealias Progress = @Sendable (Rational) -> Void

  /// Writes the files and returns their locations, in the order of the parts.
  ///
  /// - Throws: `CancellationError` after a cancel; any other error's text is shown in an alert.
  public var run:
    @Sendable (_ request: ExportRequest, _ progress: @escaping Progress) async throws -> [String]

  /// Creates a port that writes a file for each part, or one for joined parts.
  public static func files(
    _ run:
      @escaping @Sendable (_ request: ExportRequest, _ progress: @escaping Progress) async throws ->
      [String]
  ) -> ExportPort {
    var port = ExportPort { _, _ in "" }
    port.run = run
    return port
  }

  /// Creates a port for screens with a single part: a request for several files is refused.
  public init(
    run:
      @escaping @Sendable (_ request: ExportRequest, _ progress: @escaping Progress) async throws ->
      String
  ) {
    self.run = { request, progress in
      guard request.parts.count == 1 || request.joins else {
        throw VideoFailure("Several files cannot be written here; join the parts.")
      }
      return [try await run(request, progress)]
    }
  }
}

/// Makes stills of the video.
public struct PicturePort: Sendable {
  /// How long a handle must rest before a picture is requested.
  public var delay: Duration
  /// Makes the still; `nil` when there is no frame at that position; after an error the old still
  /// stays.
  public var picture: @Sendable (_ request: PictureRequest) async throws -> FramePicture?

  /// Creates a port; `delay` keeps a fast drag from requesting every frame.
  public init(
    delay: Duration = .milliseconds(80),
    picture: @escaping @Sendable (_ request: PictureRequest) async throws -> FramePicture?
  ) {
    self.delay = delay
    self.picture = picture
  }

  /// No pictures.
  public static let none = PicturePort(delay: .zero) { _ in nil }
}

/// A still and its position.
public struct FramePicture: Sendable {
  /// When this frame is shown, exactly.
  public var position: MediaTime
  /// Its index among the presented frames, from 0; `nil` when not known.
  public var frame: Int?
  /// Whatever the port makes: a `CGImage` in an app, cells in a terminal.
  public var image: any Sendable

  /// Creates a still at the exact time of its frame.
  public init(position: MediaTime, frame: Int? = nil, image: any Sendable) {
    self.position = position
    self.frame = frame
    self.image = image
  }
}

/// The destination of screen events and user actions.
public struct LogPort: Sendable {
  /// Called on the main actor, in order, once for each.
  public var write: @Sendable (LogEvent) -> Void

  /// Creates a port from a function that must not block, since the main actor calls it.
  public init(write: @escaping @Sendable (LogEvent) -> Void) { self.write = write }

  /// Drops everything.
  public static let none = LogPort { _ in }
}
