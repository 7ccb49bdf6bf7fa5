import ExactTime
import Trimming

/// Unfinished work, which returns when the file is opened again.
extension OpenFile {
  /// Applies what was kept, if it is of this very file.
  func restoreWork() {
    guard let kept = file.work?.load(), kept.version == 1, kept.bounds == presenter.session.bounds,
      kept.frames == file.timings.frames.count
    else { return }
    presenter.handle(.partsDidReturn(kept.list))
    if !file.isLimitGiven { presenter.limitDidChange(to: kept.limit) }
    // A name or track that is refused today is left as it is.
    for change in [
      StudioManner.Change.output(kept.output), .mode(kept.mode.rawValue),
      .tracks(kept.tracks.map(String.init).joined(separator: ",")),
    ] { try? file.cutting.change(change) }
    hasReturned = work != untouched
  }

  /// Keeps the work a second after the last change; work that equals a fresh start is not kept.
  func keepWork() {
    guard let port = file.work, presenter.phase == .ready, work != kept else { return }
    guard keeping == nil else { return }
    keeping = Task { [weak self] in
      try? await Task.sleep(for: .seconds(1))
      self?.keepNow(port)
    }
  }

  /// Keeps the work without waiting.
  func keepNow() {
    if let port = file.work, presenter.phase == .ready, work != kept { keepNow(port) }
  }

  private func keepNow(_ port: WorkPort) {
    keeping = nil
    let current = work
    kept = current
    if current == untouched { port.forget() } else { port.keep(current) }
  }

  /// Forgets it: the whole video is selected again.
  func forgetWork() {
    guard let untouched else { return }
    file.work?.forget()
    hasReturned = false
    presenter.handle(.partsDidReturn(untouched.list))
    if !file.isLimitGiven { presenter.limitDidChange(to: untouched.limit) }
    for change in [
      StudioManner.Change.output(untouched.output), .mode(untouched.mode.rawValue),
      .tracks(untouched.tracks.map(String.init).joined(separator: ",")),
    ] { try? file.cutting.change(change) }
  }

  var work: KeptWork {
    let session = presenter.session
    return KeptWork(
      bounds: session.bounds, frames: file.timings.frames.count, list: session.list,
      limit: session.limit, manner: file.cutting.manner())
  }
}
