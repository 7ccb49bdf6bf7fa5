import ExactTime

extension TimecodeLabel {
  /// A label that a test states as valid; traps when there is no such label.
  init(given h: Int, _ m: Int, _ s: Int, _ f: Int, isDropFrame: Bool = false) {
    do {
      try self.init(hours: h, minutes: m, seconds: s, frames: f, isDropFrame: isDropFrame)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
