public import ExactTime
public import MediaFiles
public import Rendering

/// The frames of a video that plays in a loop, from two decoders that take turns.
///
/// Blocks; can be called from any number of threads.
public final class LoopingPictures: Sendable {
  private let turns: LoopTurns<FrameGrabber, MediaError>

  private static let threads = 2

  /// Opens two decoders on a track.
  ///
  /// - Parameter isSketch: as for a ``FrameGrabber``; not for judging a result visually.
  /// - Throws: ``MediaError``: `notDecoded` where the codec is not decoded here.
  public init(_ track: PictureTrack, isSketch: Bool = false) throws(MediaError) {
    // Seeking to a frame may require decoding up to a GOP.
    turns = LoopTurns(
      try FrameGrabber(track, threads: Self.threads, isSketch: isSketch),
      try FrameGrabber(track, threads: Self.threads, isSketch: isSketch)
    ) { (grabber, time, size) throws(MediaError) in
      try grabber.picture(at: time, size: size)
    }
  }

  /// Decodes the first frame of a range before it is needed.
  ///
  /// - Throws: ``MediaError``.
  public func prepare(start: MediaTime, size: PictureSize) throws(MediaError) {
    try turns.prepare(start: start, size: size)
  }

  /// The frame that is on screen at an instant.
  ///
  /// - Parameter isRestart: playback has just returned to the start of its range.
  /// - Throws: ``MediaError``.
  public func picture(
    at time: MediaTime, size: PictureSize, isRestart: Bool = false
  ) throws(MediaError) -> GrabbedPicture {
    try turns.picture(at: time, size: size, isRestart: isRestart)
  }
}
