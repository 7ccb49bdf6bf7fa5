import ExactTime
import MediaEngine
import Synchronization

/// The frames of a film that plays in a loop, from two sealed processes that take turns.
///
/// While one follows playback, the other stands at the start of the range with its first frame
/// decoded, as the two decoders of ``LoopingPictures`` do in one process.
final class SealedLoop: Sendable {
  private struct State {
    var playing: LateProcess
    var waiting: LateProcess
    /// What the waiting one stands at.
    var first: (picture: GrabbedPicture, size: PictureSize)?
  }

  private let state: Mutex<State>
  private let isCancelled: @Sendable () -> Bool

  /// How far behind the first picture the waiting decoder is still the nearer one.
  private static let reach = MediaDuration(2)

  init(
    _ playing: LateProcess, _ waiting: LateProcess, isCancelled: @escaping @Sendable () -> Bool
  ) {
    state = Mutex(State(playing: playing, waiting: waiting))
    self.isCancelled = isCancelled
  }

  /// Decodes the first frame of a range before it is needed.
  func prepare(start: MediaTime, size: PictureSize) throws(EngineFailure) {
    let waiting = state.withLock { $0.waiting }
    let picture = try waiting.process().picture(
      EngineArguments.Picture(time: start, size: size), isCancelled: isCancelled)
    state.withLock { state in
      if state.waiting === waiting { state.first = (picture, size) }
    }
  }

  /// - Parameter isRestart: playback has just come back to the start of its range.
  func picture(
    at time: MediaTime, size: PictureSize, isRestart: Bool
  ) throws(EngineFailure) -> GrabbedPicture {
    let (source, ready) = state.withLock { state -> (LateProcess, GrabbedPicture?) in
      guard isRestart, let first = state.first, Self.isNear(time, first.picture.frame) else {
        return (state.playing, nil)
      }
      swap(&state.playing, &state.waiting)
      state.first = nil
      let isIt = first.size == size && time < first.picture.frame.end
      return (state.playing, isIt ? first.picture : nil)
    }
    if let ready { return ready }
    return try source.process().picture(
      EngineArguments.Picture(time: time, size: size), isCancelled: isCancelled)
  }

  private static func isNear(_ time: MediaTime, _ frame: PresentedFrame) -> Bool {
    guard frame.start <= time, let ahead = try? time.distance(from: frame.start) else {
      return false
    }
    return ahead < reach
  }
}
