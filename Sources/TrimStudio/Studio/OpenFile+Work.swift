import Trimming

/// Unfinished work, which returns when the file is opened again.
extension OpenFile {
  /// - Parameter presenter: of the video, which has loaded.
  static func keeper(of file: StudioFile, _ presenter: TrimmingPresenter) -> WorkKeeper? {
    guard let port = file.work else { return nil }
    let keeper = WorkKeeper(
      port, presenter, frames: file.timings.frames.count, isLimitGiven: file.isLimitGiven,
      manner: .init(now: file.cutting.manner, change: file.cutting.change))
    keeper.restore()
    return keeper
  }

  /// Keeps the work without waiting.
  func keepNow() { work?.keepNow() }

  /// Forgets it: the whole video is selected again.
  func forgetWork() { work?.forget() }

  var hasReturned: Bool { work?.hasReturned ?? false }

  /// Whether something was changed since the file was opened, and not exported as it is now.
  var isUnwritten: Bool {
    let (list, written) = (presenter.list, written)
    let isWritten = list.parts == written?.parts && list.joins == written?.joins
    return isExporting || list.parts != opened.parts && !isWritten
  }
}
