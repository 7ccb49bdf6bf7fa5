import CommandLineKit
import ExactTime
import Trimming

/// The screen as sentences, one for each change, for screen readers and logs.
///
/// Positions are announced when playback stops or the playhead is moved, not during playback.
struct SpokenChanges {
  private var last: PlayModel?

  /// The lines that describe what changed since the previous model.
  mutating func lines(for model: PlayModel) -> [String] {
    defer { last = model }
    switch model.screen {
    case .loading(let loading):
      return last == nil ? ["Loading \(loading.location)."] : []
    case .failed(let failed):
      guard last?.screen != model.screen else { return [] }
      let hint = failed.failure.hint.map { [ForeignText.shown($0)] } ?? []
      return ["Cannot be played: \(ForeignText.shown(failed.failure.message))."] + hint
        + ["Press r to try again, q to quit."]
    case .ready(let ready):
      guard case .ready(let before) = last?.screen else {
        return opening(ready, model) + overlay(model, before: .none)
      }
      return changes(ready, before, model) + overlay(model, before: last?.overlay ?? .none)
    }
  }

  private func opening(_ ready: TrimmingScreen.Ready, _ model: PlayModel) -> [String] {
    [
      "\(ready.location), \(spoken(ready.bounds.end)) long.",
      "In \(spoken(ready.timeRange.start)), out \(spoken(ready.timeRange.end)).",
      "Length \(length(ready)). \(ready.sentence()).",
      (ready.isPlaying ? "Playing in a loop." : "Paused.") + " Press question mark for the keys.",
    ]
  }

  private func changes(
    _ ready: TrimmingScreen.Ready, _ before: TrimmingScreen.Ready, _ model: PlayModel
  ) -> [String] {
    var lines: [String] = []
    if ready.list.selected.source != before.list.selected.source {
      lines.append("\(ready.shownLocation), \(spoken(ready.bounds.end)) long.")
    }
    if ready.timeRange.start != before.timeRange.start {
      lines.append("In \(place(ready.timeRange.start, model)).")
    }
    if ready.timeRange.end != before.timeRange.end {
      lines.append("Out \(place(ready.timeRange.end, model, of: .outPoint)).")
    }
    if ready.timeRange != before.timeRange {
      lines.append("Length \(length(ready)). \(ready.sentence()).")
    }
    if ready.isPlaying != before.isPlaying {
      let state = ready.isPlaying ? "Playing from" : "Paused at"
      lines.append("\(state) \(place(ready.playbackTime, model)).")
    } else if !ready.isPlaying, ready.playbackTime != before.playbackTime {
      lines.append("At \(place(ready.playbackTime, model)).")
    }
    if ready.passCount != before.passCount {
      lines.append("Back at in, loop \(ready.passCount + 1).")
    }
    if ready.snap != before.snap { lines.append("Snap \(ready.snap.rawValue).") }
    if let last, model.handle != last.handle { lines.append("Handle \(name(model.handle)).") }
    if let last, model.speed != last.speed {
      lines.append("Speed \(DecimalText.shortest(model.speed)).")
    }
    if let alert = ready.alert, alert != before.alert {
      lines.append(ForeignText.shown(alert.message))
    }
    for (said, before) in [(model.remark, last?.remark), (model.notice, last?.notice)] {
      if let said, said != before { lines.append(said.last == "." ? said : "\(said).") }
    }
    lines += parts(ready, before)
    return lines + prompt(model)
  }

  private func prompt(_ model: PlayModel) -> [String] {
    guard model.prompt != last?.prompt, let prompt = model.prompt else { return [] }
    switch prompt.reading {
    case .nothing:
      switch prompt.purpose {
      case .time: return ["Type a time, then Enter."]
      case .limit: return ["Type the longest length, or none, then Enter."]
      case .name: return ["Type a name, then Enter."]
      case .addFile: return ["Type the path of a file, then Enter."]
      case .importList: return ["Type the file of a list, then Enter."]
      case .exportList: return ["Type the file to write the list to, then Enter."]
      }
    case .time(let time): return ["\(prompt.text) is \(spoken(time))."]
    case .limit(let limit):
      return [
        limit.maximum.map { "Under \(spoken(MediaTime(seconds: $0.seconds)))." } ?? "No limit."
      ]
    case .name, .path: return [prompt.text]
    case .problem(let problem): return ["\(prompt.text): \(problem)"]
    }
  }

  private func parts(
    _ ready: TrimmingScreen.Ready, _ before: TrimmingScreen.Ready
  ) -> [String] {
    guard
      ready.list.parts.count != before.list.parts.count
        || ready.list.selectedIndex != before.list.selectedIndex
        || ready.list.joins != before.list.joins
    else { return [] }
    let files = ready.list.joins ? "joined into one file" : "a file for each"
    return [
      "Part \(ready.list.selectedIndex + 1) of \(ready.list.parts.count), \(files)."
    ]
  }

  private func overlay(_ model: PlayModel, before: PlayModel.Overlay) -> [String] {
    guard model.overlay != before else { return [] }
    return switch model.overlay {
    case .none: []
    case .tutorial: model.tutorial
    case .keys: model.keys
    case .parts: model.partLines
    case .tracks: model.trackLines
    case .find: model.findLines
    case .notes: model.noteLines
    }
  }

  private func name(_ handle: Handle) -> String {
    handle == .playhead ? "playhead" : handle.rawValue
  }

  private func length(_ ready: TrimmingScreen.Ready) -> String {
    (try? ready.timeRange.checkedLength()).map { spoken(MediaTime(seconds: $0.seconds)) } ?? "?"
  }

  private func place(
    _ time: MediaTime, _ model: PlayModel, of handle: Handle = .playhead
  ) -> String {
    let frame = model.frames.index(at: time).map { ", frame \($0)" } ?? ""
    let timecode = model.timecode(handle, time).map { ", timecode \($0)" } ?? ""
    return spoken(time) + timecode + frame
  }

  /// `1 minute 40.6 seconds`.
  private func spoken(_ time: MediaTime) -> String {
    let minutes = (try? time.seconds.divided(by: Rational(60)).rounded(.down)) ?? 0
    let rest = (try? time.seconds.subtracting(Rational(minutes).multiplied(by: Rational(60))))
    let seconds = "\(DecimalText.shortened(rest ?? time.seconds, places: 3)) seconds"
    switch minutes {
    case 0: return seconds
    case 1: return "1 minute \(seconds)"
    default: return "\(minutes) minutes \(seconds)"
    }
  }
}

extension DecimalText {
  /// At most this many decimals, without trailing zeros.
  static func shortened(_ value: Rational, places: Int) -> String {
    var text = Substring(fixed(value, places: places))
    guard text.contains(".") else { return String(text) }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return String(text)
  }
}
