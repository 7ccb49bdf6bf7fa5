import ExactTime

extension TrimmingSession {
  /// The limit is checked again, against the range itself rather than the last reported validity.
  mutating func exportDidTap(_ effects: inout [SessionEffect]) {
    guard phase == .ready else { return refuse("not_ready", &effects) }
    guard exportState == .idle else { return refuse("exporting", &effects) }
    guard list.verdict(limit) == .valid, let length = list.totalLength else {
      return refuse("invalid_length", &effects)
    }
    newestExport += 1
    exportState = .exporting(id: newestExport, fraction: .zero)
    effects.log(
      .exportStarted, .init("from", .time(timeRange.start)), .init("to", .time(timeRange.end)),
      .init("length", .length(length)))
    effects.append(
      .startExport(
        ExportRequest(
          id: newestExport, location: location, sources: sources.map(\.location), list: list,
          limit: limit)))
  }

  mutating func exportDidProgress(id: Int, _ fraction: Rational) {
    guard case .exporting(id, let known) = exportState, fraction > known else { return }
    exportState = .exporting(id: id, fraction: min(fraction, .one))
  }

  /// Also handled after a cancel that came too late: the file exists, and the user has to know.
  mutating func exportDidFinish(
    id: Int, _ locations: [String], _ effects: inout [SessionEffect]
  ) {
    guard isRunning(id) else { return }
    exportState = .idle
    exportedLocations = locations
    effects.deliver(.exportDidFinish(locations: locations))
    let parameters = locations.map { LogEvent.Parameter("location", .text($0)) }
    effects.append(.log(LogEvent(.exportFinished, parameters)))
  }

  mutating func exportDidFail(id: Int, _ message: String, _ effects: inout [SessionEffect]) {
    guard isRunning(id) else { return }
    if exportState == .cancelling(id: id) { return exportDidCancel(id: id, &effects) }
    exportState = .idle
    let shown = TrimmingAlert(message)
    alert = shown
    effects.deliver(.alertDidAppear(shown))
    effects.log(.exportFailed, .init("reason", .text(message)))
  }

  mutating func exportDidCancel(id: Int, _ effects: inout [SessionEffect]) {
    guard isRunning(id) else { return }
    exportState = .idle
    effects.log(.exportCancelled)
  }

  mutating func exportCancelDidTap(_ effects: inout [SessionEffect]) {
    guard case .exporting(let id, _) = exportState else { return }
    exportState = .cancelling(id: id)
    effects.append(.cancelExport(id: id))
  }

  mutating func alertDidClose(_ effects: inout [SessionEffect]) {
    guard alert != nil else { return }
    alert = nil
    effects.log(.alertClosed)
  }

  private func refuse(_ reason: String, _ effects: inout [SessionEffect]) {
    effects.log(.exportRefused, .init("reason", .text(reason)))
  }

  private func isRunning(_ id: Int) -> Bool {
    switch exportState {
    case .idle: false
    case .exporting(let running, _), .cancelling(let running): running == id
    }
  }
}
