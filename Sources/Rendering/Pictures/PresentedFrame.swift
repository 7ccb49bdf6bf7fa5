public import ExactTime

/// A frame's number and its times on the timeline.
public struct PresentedFrame: Sendable, Hashable, Codable {
  /// The number, from 0 in presentation order, as in `1815f` in a time expression.
  public var number: Int
  /// When it is shown, counted from the track's origin.
  public var start: MediaTime
  /// When the next frame is shown, or the track ends.
  public var end: MediaTime

  /// Creates a frame; both times are counted from the track's origin.
  public init(number: Int, start: MediaTime, end: MediaTime) {
    self.number = number
    self.start = start
    self.end = end
  }
}

/// A picture, with the frame that it shows.
public struct GrabbedPicture: Sendable, Hashable {
  /// The frame that the picture shows, with its exact times.
  public var frame: PresentedFrame
  /// The pixels, upright and in the requested size.
  public var picture: Picture
  /// True where HDR video was tone-mapped for a standard screen.
  public var isToneMapped: Bool

  /// Creates a picture of a frame.
  public init(frame: PresentedFrame, picture: Picture, isToneMapped: Bool = false) {
    self.frame = frame
    self.picture = picture
    self.isToneMapped = isToneMapped
  }
}
