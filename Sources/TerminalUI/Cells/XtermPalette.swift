/// Xterm's table of 256 colors: 16 from the theme, a 6×6×6 cube, and 24 grays.
enum XtermPalette {
  typealias Components = (red: UInt8, green: UInt8, blue: UInt8)

  private static let cubeLevels: [UInt8] = [0, 95, 135, 175, 215, 255]

  static func color(at index: UInt8) -> Components {
    switch index {
    case 0..<16: return themeColors[Int(index)]
    case 16..<232:
      let cell = Int(index) - 16
      return (cubeLevels[cell / 36], cubeLevels[cell / 6 % 6], cubeLevels[cell % 6])
    default:
      let grey = 8 + 10 * (index - 232)
      return (grey, grey, grey)
    }
  }

  /// The nearest color in the cube or the grays; the theme's 16 may be any color.
  static func nearest(to wanted: Components) -> UInt8 {
    let cube =
      16 + 36 * level(nearestTo: wanted.red) + 6 * level(nearestTo: wanted.green)
      + level(nearestTo: wanted.blue)
    let mean = (Int(wanted.red) + Int(wanted.green) + Int(wanted.blue)) / 3
    let grey = 232 + UInt8(min(23, max(0, (mean - 3) / 10)))
    return distance(color(at: grey), wanted) < distance(color(at: cube), wanted) ? grey : cube
  }

  static func nearestTheme(to wanted: Components) -> ThemeColor {
    let nearest = ThemeColor.allCases.min {
      distance(themeColors[Int($0.rawValue)], wanted)
        < distance(themeColors[Int($1.rawValue)], wanted)
    }
    return nearest ?? .white
  }

  private static let themeColors: [Components] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  private static func level(nearestTo value: UInt8) -> UInt8 {
    let nearest = cubeLevels.indices.min {
      abs(Int(cubeLevels[$0]) - Int(value)) < abs(Int(cubeLevels[$1]) - Int(value))
    }
    return UInt8(nearest ?? 0)
  }

  private static func distance(_ a: Components, _ b: Components) -> Int {
    let red = Int(a.red) - Int(b.red)
    let green = Int(a.green) - Int(b.green)
    let blue = Int(a.blue) - Int(b.blue)
    return red * red + green * green + blue * blue
  }
}
