import ExactTime
import Isolation
import MediaEngine
import Threads
import Trimming

/// The result of a cut, previewed before it is written, for one range at a time.
@MainActor final class ResultPreview {
  enum State {
    case off
    case making(CancelSwitch)
    case showing(PictureDesk, seams: [MediaTime])
  }

  private(set) var state = State.off
  /// The range of the preview.
  private(set) var range: MediaTimeRange?
  /// The index of the file that the range is of.
  private(set) var source = 0
  /// Whether playback was paused and was started for the preview.
  var hasSetGoing = false

  var isOn: Bool { range != nil }

  /// The source of result pictures at an instant of the file.
  func desk(at time: MediaTime) -> PictureDesk? {
    guard case .showing(let desk, _) = state, let range, range.start <= time, time <= range.end
    else { return nil }
    return desk
  }

  /// - Parameters:
  ///   - repaint: called for each new picture.
  ///   - didFinish: called when the preview is ready, or with what prevented it; never after
  ///     ``end()``.
  func make(
    _ order: CutOrder, with cutter: MediaCutter, repaint: @escaping @MainActor () -> Void,
    didFinish: @escaping @MainActor (VideoFailure?) -> Void
  ) {
    end()
    let isCancelled = CancelSwitch()
    (range, source) = (order.request.parts[0].range, order.request.parts[0].source)
    state = .making(isCancelled)
    Task {
      let result: Result<ResultPictures, any Error>
      do {
        result = .success(
          try await WaitingThread.value { try cutter.preview(order) { !isCancelled.isOn } })
      } catch {
        result = .failure(error)
      }
      guard !isCancelled.isOn else { return }
      switch result {
      case .success(let made):
        state = .showing(PictureDesk(made.pictures, didArrive: repaint), seams: made.seams)
        didFinish(nil)
      case .failure(let error):
        end()
        didFinish(error as? VideoFailure ?? VideoFailure("\(error)"))
      }
    }
  }

  func end() {
    if case .making(let isCancelled) = state { isCancelled.turnOn() }
    state = .off
    range = nil
    hasSetGoing = false
  }
}
