#if FFmpeg
  public import ExactTime
  public import MediaFiles
  public import Rendering
  import Synchronization

  /// The frames of a video that plays in a loop.
  ///
  /// Two decoders take turns: while one follows playback, the other waits at the start of the
  /// range with its first frame decoded, so that a loop starts again without a wait. Blocking; any
  /// number of threads may ask.
  public final class LoopingPictures: Sendable {
    private struct State {
      var playing: FrameGrabber
      var waiting: FrameGrabber
      /// What the waiting decoder stands at.
      var first: (picture: GrabbedPicture, size: PictureSize)?
    }

    private let state: Mutex<State>

    /// How far behind the first picture the waiting decoder is still the nearer one.
    private static let reach = MediaDuration(2)

    /// Opens two decoders on a track.
    ///
    /// - Parameter isSketch: as for a ``FrameGrabber``; never where a result is judged by eye.
    /// - Throws: ``ProbeError``: `notDecoded` where the codec is not decoded here.
    public init(_ track: PictureTrack, isSketch: Bool = false) throws(ProbeError) {
      state = Mutex(
        State(
          playing: try FrameGrabber(track, isSketch: isSketch),
          waiting: try FrameGrabber(track, isSketch: isSketch)))
    }

    /// Decodes the first frame of a range before it is needed.
    ///
    /// - Throws: ``ProbeError``.
    public func prepare(start: MediaTime, size: PictureSize) throws(ProbeError) {
      let waiting = state.withLock { $0.waiting }
      let picture = try waiting.picture(at: start, size: size)
      state.withLock { state in
        if state.waiting === waiting { state.first = (picture, size) }
      }
    }

    /// The frame that is on screen at an instant.
    ///
    /// - Parameter isRestart: playback has just come back to the start of its range.
    /// - Throws: ``ProbeError``.
    public func picture(
      at time: MediaTime, size: PictureSize, isRestart: Bool = false
    ) throws(ProbeError) -> GrabbedPicture {
      let (grabber, ready) = state.withLock { state -> (FrameGrabber, GrabbedPicture?) in
        guard isRestart, let first = state.first, Self.isNear(time, first.picture.frame) else {
          return (state.playing, nil)
        }
        swap(&state.playing, &state.waiting)
        state.first = nil
        let isIt = first.size == size && time < first.picture.frame.end
        return (state.playing, isIt ? first.picture : nil)
      }
      if let ready { return ready }
      return try grabber.picture(at: time, size: size)
    }

    private static func isNear(_ time: MediaTime, _ frame: PresentedFrame) -> Bool {
      guard frame.start <= time, let ahead = try? time.distance(from: frame.start) else {
        return false
      }
      return ahead < reach
    }
  }
#endif
