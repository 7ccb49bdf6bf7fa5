import CommandLineKit
import ExactTime
import TerminalUI
import Trimming

/// The message line: the most urgent piece of information.
extension EditView {
  func message(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    if progress(ready, on: &page) { return }
    if let question = model.question {
      page.line(.init(text: question.sentence, style: Style(emphasis: .bold)))
    } else if let prompt = model.play.prompt {
      page.prompt(prompt)
    } else if let alert = ready.alert {
      page.line(
        .init(text: "Not cut: " + ForeignText.shown(alert.message), style: page.palette.bad))
    } else if let notice = model.notice ?? model.play.notice {
      page.line(.init(text: notice, style: page.palette.accent))
    } else if let search = model.search {
      page.line(.init(text: search, style: Style(emphasis: .bold)), .init(text: "   Esc stops it"))
    } else if let preview = model.preview {
      let list = ready.list
      let part = list.isSeveral ? "Part \(list.selectedIndex + 1). " : ""
      page.line(
        .init(text: part + preview.sentence, style: Style(emphasis: .bold)),
        .init(text: "   v ends it"))
    } else if let location = model.written {
      page.line(.init(text: "Done: wrote \(location)", style: page.palette.good))
    } else if let outlook = model.outlook {
      let target = " -> \(PlayModel.names(of: model.target).base)"
      let lines = model.play.planLines
      // Why files are re-encoded is often more than a line.
      let isShort = lines.count > 1 && (outlook + target).columns > page.cells()
      page.line(
        .init(text: isShort ? lines[0] + "; L tells why" : outlook), .init(text: target))
    } else if model.purpose == nil {
      page.line(.init(text: "-> \(PlayModel.names(of: model.target).base)"))
    }
  }

  private func progress(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) -> Bool {
    switch ready.exportState {
    case .idle: return false
    case .cancelling: page.line(.init(text: "Canceling …"))
    case .exporting(_, let fraction):
      let share = (try? fraction.multiplied(by: Rational(100)).rounded(.down)) ?? 0
      page.line(
        .init(text: "Cutting: \(share) %   ", style: Style(emphasis: .bold)),
        .init(text: "Esc cancels"))
    }
    return true
  }
}

extension EditModel {
  /// The same for screen readers: progress in tenths.
  var remark: String? {
    guard case .ready(let ready) = play.screen else { return nil }
    switch ready.exportState {
    case .idle: break
    case .cancelling: return "Canceling"
    case .exporting(_, let fraction):
      let tenths = (try? fraction.multiplied(by: Rational(10)).rounded(.down)) ?? 0
      return "Cutting: \(10 * tenths) %"
    }
    let done = written.map { location in
      let length = ready.list.totalLength.map { DecimalText.shortest($0.seconds) }
      return "Done: wrote \(location), \(length ?? "?") seconds"
    }
    return question?.sentence ?? notice ?? done
  }
}

extension EditModel.Question {
  fileprivate var sentence: String {
    switch self {
    case .replace(let name): "Replace \(name)? y/n"
    case .replaceList(let target): "Replace \(target.shown)? y/n"
    case .quit: "Quit without cutting? y/n"
    }
  }
}

extension EditModel.Preview {
  fileprivate var sentence: String {
    switch self {
    case .making: "Making the result …"
    case .showing(let seams) where seams.isEmpty: "The result, without a seam"
    case .showing(let seams):
      (seams.count == 1 ? "The result, seam at " : "The result, seams at ")
        + seams.map(EditView.clock).joined(separator: " and ")
    }
  }
}
