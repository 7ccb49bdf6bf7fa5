import ExactTime
import TerminalUI
import TrimStudio
import Trimming

/// Mouse input: handles are dragged, and the wheel steps by a frame.
extension EditController {
  func take(_ mouse: Mouse, on size: Size) {
    defer { parts.work?.keep() }
    let layout = layout(size)
    guard EditLayout.fits(size), presenter.exportState == .idle, question == nil else { return }
    switch (mouse.action, mouse.button) {
    case (.press, _) where presenter.isTutorialVisible: play.closeOverlay()
    case (.press, .left) where layout.showsTime(row: mouse.position.row):
      grab(column: mouse.position.column - layout.timeColumns.lowerBound, layout)
    case (.drag, .left): drag(to: mouse.position.column, layout)
    case (.release, _):
      if dragged == .inPoint || dragged == .outPoint { presenter.dragDidEnd() }
      dragged = nil
    case (.wheelUp, _): presenter.nudge(model.handle, by: .frames(-1))
    case (.wheelDown, _): presenter.nudge(model.handle, by: .frames(1))
    default: break
    }
  }

  /// Grabs the handle within a column of the position, otherwise moves the playhead there.
  private func grab(column: Int, _ layout: EditLayout) {
    let columns = layout.timeColumns.count
    func distance(_ time: MediaTime) -> Int {
      play.file.window.column(of: time, columns: columns).map { abs($0 - column) } ?? .max
    }
    let range = presenter.timeRange
    let (toIn, toOut) = (distance(range.start), distance(range.end))
    let nearest = min(toIn, toOut)
    let handle: Handle = nearest > 1 ? .playhead : toIn <= toOut ? .inPoint : .outPoint
    dragged = handle
    play.choose(handle)
    if handle == .playhead {
      drag(to: column + layout.timeColumns.lowerBound, layout, isPress: true)
    } else {
      presenter.dragDidBegin()
    }
  }

  /// A click into another part selects it.
  private func selectPart(at time: MediaTime) {
    let list = presenter.list
    guard !list.selected.range.contains(time),
      let part = list.parts.first(where: {
        $0.source == list.selected.source && $0.range.contains(time)
      })
    else { return }
    presenter.partDidSelect(id: part.id)
  }

  private func drag(to column: Int, _ layout: EditLayout, isPress: Bool = false) {
    let columns = layout.timeColumns.count
    let place = min(max(column - layout.timeColumns.lowerBound, 0), columns - 1)
    guard dragged != nil, let time = play.file.window.time(atColumn: place, columns: columns) else {
      return
    }
    guard dragged == .playhead else { return play.move(to: time) }
    presenter.playheadDidDrag(to: time)
    if isPress { selectPart(at: presenter.playbackTime) }
  }
}
