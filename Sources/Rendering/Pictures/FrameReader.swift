public import ExactTime
public import MediaFiles
import Synchronization

/// Reads the frames of a video one after another, for playing.
///
/// Blocking: run it on a separate thread. A loop without gaps alternates between two readers, one
/// of which is at the start of the range before the other has reached its end.
public final class FrameReader: Sendable {
  /// The size of every output picture.
  public let size: PictureSize
  private let track: PictureTrack
  private let core: Mutex<Core>

  private struct Core: ~Copyable {
    var cursor: FrameCursor
    var rendering: FrameRendering
    /// The next frame.
    var next = 0
    /// The previous frame.
    var last: Int?
  }

  /// Creates a reader at the first frame.
  ///
  /// - Parameter threads: how many threads the decoder may use.
  /// - Throws: ``MediaError``.
  public init(_ track: PictureTrack, size: PictureSize, threads: Int = 1) throws(MediaError) {
    self.track = track
    self.size = size
    core = Mutex(
      Core(
        cursor: try FrameCursor(track, threads: threads),
        rendering: try FrameRendering(track.look)))
  }

  /// Seeks to an instant: the next frame is the one on screen at that time.
  public func move(to time: MediaTime) {
    let number = track.frame(at: time).number
    core.withLock {
      $0.next = number
      $0.last = nil
    }
  }

  /// The next frame, as a picture.
  ///
  /// - Parameter time: frames that have ended by then are skipped: decoded where others need
  ///   them, but not converted to pictures.
  /// - Returns: `nil` after the last frame.
  /// - Throws: ``MediaError``.
  public func next(shownAfter time: MediaTime? = nil) throws(MediaError) -> GrabbedPicture? {
    try core.withLock { (core) throws(MediaError) in
      var number = core.next
      if let time { number = max(number, track.frame(at: time).number) }
      guard number < track.frameCount else { return nil }
      var options = FrameCursor.Options()
      options.skips = core.last.map { number > $0 + 1 } ?? true
      let frame = track.frame(number: number)
      guard let shown = try core.cursor.show(track.table.place(ofFrame: number), options) else {
        throw MediaError(.damaged, "no frame can be decoded there")
      }
      core.next = number + 1
      core.last = number
      let (picture, isToneMapped) = try core.rendering.render(core.cursor.picture, size: size)
      let found = track.table.frame(showing: shown, near: number) ?? frame
      return GrabbedPicture(frame: found, picture: picture, isToneMapped: isToneMapped)
    }
  }
}
