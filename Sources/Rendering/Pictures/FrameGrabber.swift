public import ExactTime
import Libav
public import MediaFiles
import Synchronization

/// Fetches single frames of a video, each exactly.
///
/// Blocking, and one frame at a time: call it off the cooperative pool. Several grabbers may
/// share a track.
public final class FrameGrabber: Sendable {
  private let core: Mutex<Core>
  private let track: PictureTrack

  fileprivate struct Core: ~Copyable {
    var cursor: FrameCursor
    var rendering: FrameRendering
    let isSketch: Bool
  }

  /// Which frame to take for an instant.
  public enum Choice: String, Sendable, Hashable {
    /// The frame that is on screen at that time.
    case exact
    /// The nearest keyframe: much less to decode, and without deblocking.
    case keyframe
  }

  /// Opens a decoder on a track.
  ///
  /// - Parameters:
  ///   - threads: the number of decoder threads; more than one is useful for playback, and where
  ///     a user waits for a frame far from a keyframe.
  ///   - isSketch: whether pictures that are much smaller than the video may differ invisibly
  ///     from exact ones, to save work.
  /// - Throws: ``MediaError``.
  public init(
    _ track: PictureTrack, threads: Int = 1, isSketch: Bool = false
  ) throws(MediaError) {
    self.track = track
    core = Mutex(
      Core(
        cursor: try FrameCursor(track, threads: threads),
        rendering: try FrameRendering(track.look), isSketch: isSketch))
  }

  /// The frame for an instant.
  ///
  /// - Throws: ``MediaError``: `damaged` when no frame near it can be decoded.
  public func picture(
    at time: MediaTime, size: PictureSize, choice: Choice = .exact
  ) throws(MediaError) -> GrabbedPicture {
    let frame = track.frame(at: time, choice)
    return try core.withLock { (core) throws(MediaError) in
      var options = FrameCursor.Options()
      options.isLast = choice == .keyframe
      if choice == .keyframe { options.rough = .everything }
      return try core.picture(of: frame, size, options, track)
    }
  }

  /// The frame with a number, counted from 0 in presentation order.
  public func picture(
    ofFrame number: Int, size: PictureSize
  ) throws(MediaError) -> GrabbedPicture {
    let frame = track.frame(number: number)
    return try core.withLock { (core) throws(MediaError) in
      try core.picture(of: frame, size, FrameCursor.Options(), track)
    }
  }

  /// The frames for several instants, preferably in ascending order.
  ///
  /// - Parameter each: takes a frame and the position of its instant; returns false to stop.
  public func pictures(
    at times: [MediaTime], size: PictureSize, choice: Choice = .exact,
    _ each: (Int, GrabbedPicture) throws(MediaError) -> Bool
  ) throws(MediaError) {
    let frames = times.map { track.frame(at: $0, choice) }
    track.expectGroups(of: frames)
    for (position, frame) in frames.enumerated() {
      let next = position + 1 < frames.count ? frames[position + 1] : nil
      let picture = try core.withLock { (core) throws(MediaError) in
        var options = FrameCursor.Options()
        if choice == .keyframe { options.rough = .everything }
        options.isLast = choice == .keyframe || !track.table.isNear(frame, next)
        return try core.picture(of: frame, size, options, track)
      }
      guard try each(position, picture) else { return }
    }
  }
}

extension FrameGrabber.Core {
  package mutating func picture(
    of frame: PresentedFrame, _ size: PictureSize, _ options: FrameCursor.Options,
    _ track: PictureTrack
  ) throws(MediaError) -> GrabbedPicture {
    let place = track.table.place(ofFrame: frame.number)
    var options = options
    if isSketch, options.rough == .nothing, track.isMuchLarger(than: size) {
      // No other output picture depends on these, so errors do not accumulate.
      options.rough = .unreferenced
    }
    guard let shown = try cursor.show(place, options) else {
      throw MediaError(.damaged, "no frame can be decoded there")
    }
    let (picture, isToneMapped) = try rendering.render(
      cursor.picture, size: size, isSketch: isSketch)
    let found = track.table.frame(showing: shown, near: frame.number) ?? frame
    return GrabbedPicture(frame: found, picture: picture, isToneMapped: isToneMapped)
  }
}

extension PictureTrack {
  /// The frame requested at an instant.
  func frame(at time: MediaTime, _ choice: FrameGrabber.Choice) -> PresentedFrame {
    switch choice {
    case .exact: frame(at: time)
    case .keyframe: keyframe(nearest: time) ?? frame(at: time)
    }
  }

  /// Whether several source pixels make one output pixel, in both directions.
  fileprivate func isMuchLarger(than size: PictureSize) -> Bool {
    let made = look.storedSize(
      for: size, width: storedWidth, height: storedHeight, codedAspect: nil)
    guard let made else { return false }
    return storedWidth >= 6 * made.width && storedHeight >= 6 * made.height
  }
}

extension FrameTable {
  /// True when the next frame is best reached by continuing to decode.
  package func isNear(_ frame: PresentedFrame, _ next: PresentedFrame?) -> Bool {
    guard let next else { return false }
    let index = order[place(ofFrame: frame.number)]
    let nextPlace = place(ofFrame: next.number)
    guard let key = key(forPlace: nextPlace) else { return true }
    return keys[key].index <= index && order[nextPlace] >= index
  }
}
