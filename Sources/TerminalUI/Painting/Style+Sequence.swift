extension Style {
  /// Appends the shortest sequence that changes the active style to this one; nothing if unchanged.
  func append(after previous: Style, to bytes: inout [UInt8]) {
    guard self != previous else { return }
    guard self != .plain else {
      bytes += ControlSequence.plainStyle
      return
    }
    // One parameter turns off bold and dim together (SGR 22), so losing one requires a reset.
    guard emphasis.isSuperset(of: previous.emphasis) else {
      appendAnew(to: &bytes)
      return
    }
    let start = bytes.count
    ControlSequence.begin(&bytes)
    appendChanges(from: previous, to: &bytes)
    ControlSequence.endStyle(&bytes)
    // Only if a color returns to the terminal's default can a reset be shorter.
    guard losesColor(of: previous) else { return }
    let middle = bytes.count
    appendAnew(to: &bytes)
    if bytes.count - middle < middle - start {
      bytes.removeSubrange(start..<middle)
    } else {
      bytes.removeSubrange(middle...)
    }
  }

  private func losesColor(of previous: Style) -> Bool {
    (foreground == .standard && previous.foreground != .standard)
      || (background == .standard && previous.background != .standard)
  }

  private func appendAnew(to bytes: inout [UInt8]) {
    ControlSequence.begin(&bytes)
    bytes.append(UInt8(ascii: "0"))
    bytes.append(UInt8(ascii: ";"))
    appendChanges(from: .plain, to: &bytes)
    ControlSequence.endStyle(&bytes)
  }

  /// Appends parameters, each followed by a semicolon.
  private func appendChanges(from previous: Style, to bytes: inout [UInt8]) {
    let added = emphasis.subtracting(previous.emphasis)
    if !added.isEmpty {
      if added.contains(.bold) { ControlSequence.append(1, to: &bytes) }
      if added.contains(.dim) { ControlSequence.append(2, to: &bytes) }
      if added.contains(.underline) { ControlSequence.append(4, to: &bytes) }
      if added.contains(.reverse) { ControlSequence.append(7, to: &bytes) }
    }
    if foreground != previous.foreground { foreground.append(plane: .foreground, to: &bytes) }
    if background != previous.background { background.append(plane: .background, to: &bytes) }
  }

  func reduced(to depth: ColorDepth) -> Style {
    Style(
      foreground: foreground.reduced(to: depth), background: background.reduced(to: depth),
      emphasis: emphasis)
  }
}

extension Color {
  enum Plane: Int {
    case foreground = 30
    case background = 40
  }

  fileprivate func append(plane: Plane, to bytes: inout [UInt8]) {
    let base = plane.rawValue
    switch self {
    case .standard: ControlSequence.append(base + 9, to: &bytes)
    case .theme(let color):
      let number = Int(color.rawValue)
      ControlSequence.append(number < 8 ? base + number : base + 60 + number - 8, to: &bytes)
    case .indexed(let index):
      ControlSequence.append(base + 8, to: &bytes)
      ControlSequence.append(5, to: &bytes)
      ControlSequence.append(Int(index), to: &bytes)
    case .rgb(let red, let green, let blue):
      ControlSequence.append(base + 8, to: &bytes)
      ControlSequence.append(2, to: &bytes)
      ControlSequence.append(Int(red), to: &bytes)
      ControlSequence.append(Int(green), to: &bytes)
      ControlSequence.append(Int(blue), to: &bytes)
    }
  }
}
