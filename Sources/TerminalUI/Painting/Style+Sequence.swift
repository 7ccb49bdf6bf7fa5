extension Style {
  /// The shortest sequence that turns what is on into this; empty when nothing changes.
  func sequence(after previous: Style) -> [UInt8] {
    guard self != previous else { return [] }
    guard self != .plain else { return ControlSequence.plainStyle }
    let anew = ControlSequence.style(["0"] + changes(from: .plain))
    // Off is one parameter for bold and dim together (SGR 22), so losing one means starting anew.
    guard emphasis.isSuperset(of: previous.emphasis) else { return anew }
    let changed = ControlSequence.style(changes(from: previous))
    return changed.count <= anew.count ? changed : anew
  }

  private func changes(from previous: Style) -> [String] {
    var parameters: [String] = []
    let added = emphasis.subtracting(previous.emphasis)
    if added.contains(.bold) { parameters.append("1") }
    if added.contains(.dim) { parameters.append("2") }
    if added.contains(.underline) { parameters.append("4") }
    if added.contains(.reverse) { parameters.append("7") }
    if foreground != previous.foreground {
      parameters.append(foreground.parameter(plane: .foreground))
    }
    if background != previous.background {
      parameters.append(background.parameter(plane: .background))
    }
    return parameters
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

  fileprivate func parameter(plane: Plane) -> String {
    let base = plane.rawValue
    switch self {
    case .standard: return "\(base + 9)"
    case .theme(let color):
      let number = Int(color.rawValue)
      return "\(number < 8 ? base + number : base + 60 + number - 8)"
    case .indexed(let index): return "\(base + 8);5;\(index)"
    case .rgb(let red, let green, let blue): return "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
