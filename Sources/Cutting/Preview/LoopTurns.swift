package import ExactTime
package import Rendering
import Synchronization

/// Two decoders that take turns in a loop: while one follows playback, the other waits at the start
/// of the range with its first frame decoded, so that the loop restarts without delay.
///
/// Blocks; can be called from any number of threads.
package final class LoopTurns<Source: AnyObject & Sendable, Failure: Error>: Sendable {
  package typealias Decode =
    @Sendable (_ source: Source, _ time: MediaTime, _ size: PictureSize) throws(Failure)
    -> GrabbedPicture

  private struct State {
    var playing: Source
    var waiting: Source
    /// The frame that the waiting decoder has decoded.
    var first: (picture: GrabbedPicture, size: PictureSize)?
  }

  private let state: Mutex<State>
  private let decode: Decode

  package init(_ playing: Source, _ waiting: Source, decode: @escaping Decode) {
    state = Mutex(State(playing: playing, waiting: waiting))
    self.decode = decode
  }

  /// Decodes the first frame of a range before it is needed.
  package func prepare(start: MediaTime, size: PictureSize) throws(Failure) {
    let waiting = state.withLock { $0.waiting }
    let picture = try decode(waiting, start, size)
    state.withLock { state in
      if state.waiting === waiting { state.first = (picture, size) }
    }
  }

  /// The frame that is on screen at an instant.
  ///
  /// - Parameter isRestart: playback has just returned to the start of its range.
  package func picture(
    at time: MediaTime, size: PictureSize, isRestart: Bool
  ) throws(Failure) -> GrabbedPicture {
    let (source, ready) = state.withLock { state -> (Source, GrabbedPicture?) in
      guard isRestart, let first = state.first, Self.isNear(time, first.picture.frame) else {
        return (state.playing, nil)
      }
      swap(&state.playing, &state.waiting)
      state.first = nil
      let isIt = first.size == size && time < first.picture.frame.end
      return (state.playing, isIt ? first.picture : nil)
    }
    if let ready { return ready }
    return try decode(source, time, size)
  }

  /// Whether an instant is so close after a frame that the waiting decoder is nearer.
  private static func isNear(_ time: MediaTime, _ frame: PresentedFrame) -> Bool {
    guard frame.start <= time, let ahead = try? time.distance(from: frame.start) else {
      return false
    }
    return ahead < MediaDuration(2)
  }
}
