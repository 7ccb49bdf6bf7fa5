internal import CSystem

extension Size {
  /// The size that a terminal reports, else `COLUMNS` and `LINES`, else 80×24.
  package init(ofTerminal descriptor: Int32, environment: [String: String]) {
    let told = trim_terminal_size(descriptor)
    func either(_ told: Int32, _ name: String, _ standard: Int) -> Int {
      if told > 0 { return Int(told) }
      guard let value = environment[name].flatMap({ Int($0) }), value > 0 else { return standard }
      return value
    }
    self.init(
      columns: either(told.columns, "COLUMNS", Size.standard.columns),
      rows: either(told.rows, "LINES", Size.standard.rows))
  }
}
