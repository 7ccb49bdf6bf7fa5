public import ExactTime

/// A frame's place on the film's timeline.
public struct PresentedFrame: Sendable, Hashable {
  /// Counted from 0 in the order of presentation, as `1815f` in a time expression.
  public var number: Int
  /// When it is shown, and when the next one is.
  public var start: MediaTime
  public var end: MediaTime

  public init(number: Int, start: MediaTime, end: MediaTime) {
    self.number = number
    self.start = start
    self.end = end
  }
}

/// A picture with the frame that it shows.
public struct GrabbedPicture: Sendable, Hashable {
  public var frame: PresentedFrame
  public var picture: Picture
  /// True when the film's light is beyond what a screen shows, and was mapped to it.
  public var isToneMapped: Bool

  public init(frame: PresentedFrame, picture: Picture, isToneMapped: Bool = false) {
    self.frame = frame
    self.picture = picture
    self.isToneMapped = isToneMapped
  }
}
