public import ExactTime
public import MediaFiles

/// Frames of a video side by side, in rows from the top left.
public struct Filmstrip: Sendable, Hashable {
  /// The frames that are shown, in order.
  public var frames: [PresentedFrame]
  /// All frames in one picture.
  public var picture: Picture
  /// Width of each frame of the strip in pixels.
  public var tileWidth: Int
  /// Height of each frame of the strip in pixels, which follows from the video's aspect
  /// ratio.
  public var tileHeight: Int
  /// True where HDR video was tone-mapped for a standard screen.
  public var isToneMapped: Bool
  /// How many frames replace nearby ones that cannot be decoded.
  public var substituteCount: Int

  /// Fetches the frames and joins them.
  ///
  /// - Parameters:
  ///   - columns: the maximum number of frames in a row.
  ///   - progress: called after each frame with how many are done; returns false to cancel.
  /// - Throws: ``MediaError``; `limitExceeded` when the strip would be too large.
  public init(
    of track: PictureTrack, at times: [MediaTime], tileWidth: Int,
    choice: FrameGrabber.Choice = .exact, columns: Int = 10,
    progress: (Int) -> Bool = { _ in true }
  ) throws(MediaError) {
    precondition(!times.isEmpty && columns > 0)
    let grabber = try FrameGrabber(track)
    var canvas: StripCanvas?
    var frames: [PresentedFrame] = []
    var (isToneMapped, substituteCount) = (false, 0)
    try grabber.pictures(at: times, size: .width(tileWidth), choice: choice) {
      (position, shown) throws(MediaError) in
      if canvas == nil {
        canvas = try StripCanvas(
          tile: shown.picture, count: times.count, columns: min(columns, times.count))
      }
      canvas?.place(shown.picture, at: position)
      frames.append(shown.frame)
      isToneMapped = isToneMapped || shown.isToneMapped
      if track.frame(at: times[position], choice).number != shown.frame.number {
        substituteCount += 1
      }
      guard progress(position + 1) else {
        throw MediaError.cancelled
      }
      return true
    }
    guard let canvas else { throw MediaError(.internalError, "a strip without frames") }
    self.frames = frames
    self.tileWidth = canvas.tileWidth
    self.tileHeight = canvas.tileHeight
    self.isToneMapped = isToneMapped
    self.substituteCount = substituteCount
    picture = canvas.picture
  }
}
