import Rendering

/// The number that every picture of the sample files has along its stored top edge
/// (samples/README.md).
enum FrameCode {
  /// - Parameters:
  ///   - quarters: clockwise quarter turns by which the picture is rotated from the stored one.
  /// - Returns: `nil` when there is no code, or its parity is wrong.
  static func number(in picture: Picture, turnedBy quarters: Int = 0) -> Int? {
    let bits = (0..<20).map { isWhite(block: $0, of: picture, quarters) }
    guard bits[0], !bits[1], bits[18] != bits[19] else { return nil }
    let digits = bits[2..<18]
    guard (digits.count { $0 } % 2 == 1) == bits[18] else { return nil }
    return digits.reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
  }

  /// Tests the middle of a block: there are 20 blocks across the stored picture, each 16 of its 90
  /// rows high.
  private static func isWhite(block: Int, of picture: Picture, _ quarters: Int) -> Bool {
    let across = (Double(block) + 0.5) / 20
    let down = 8.0 / 90
    let (x, y) =
      switch quarters {
      case 1: (1 - down, across)
      case 2: (1 - across, 1 - down)
      case 3: (down, 1 - across)
      default: (across, down)
      }
    let column = Int(x * Double(picture.width))
    let row = Int(y * Double(picture.height))
    return picture.pixels[(row * picture.width + column) * 3 + 1] > 127
  }
}
