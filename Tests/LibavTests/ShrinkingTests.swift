import CSystem
import Support
import Testing

@Suite struct `Given a plane of pixels of any size` {
  private struct Plane {
    var width: Int
    var height: Int
    var stride: Int
    var bytes: [UInt8]

    init(_ width: Int, _ height: Int, margin: Int, _ byte: () -> UInt8) {
      (self.width, self.height, stride) = (width, height, width + margin)
      bytes = (0..<stride * height).map { _ in byte() }
    }

    /// The arithmetic mean of a square, rounded to nearest.
    func mean(_ column: Int, _ row: Int, side: Int) -> UInt8 {
      var sum = 0
      for y in row * side..<(row + 1) * side {
        for x in column * side..<(column + 1) * side {
          sum += Int(bytes[min(y, height - 1) * stride + min(x, width - 1)])
        }
      }
      return UInt8((2 * sum + side * side) / (2 * side * side))
    }
  }

  @Test(arguments: 1...4, [true, false])
  func `when it is shrunk then each pixel is the mean of its square, and nothing else is touched`(
    _ shift: Int, isWhole: Bool
  ) {
    var random = SeededGenerator(seed: UInt64(shift))
    let side = 1 << shift
    // Also wider than the number of columns summed at a time.
    for columns in [1, 2, 7, 40, 1024 / side, 1024 / side + 3] {
      let rows = Int.random(in: 1...5, using: &random)
      let (width, height) =
        isWhole
        ? (columns * side, rows * side)
        : (columns * side - side / 2, rows * side - Int.random(in: 0..<side, using: &random))
      let brightest = UInt8.random(in: 0...255, using: &random)
      var source = Plane(width, height, margin: 5) { .random(in: brightest...255, using: &random) }
      var target = Plane(columns, rows, margin: 3) { 7 }
      source.bytes.withUnsafeMutableBufferPointer { from in
        target.bytes.withUnsafeMutableBufferPointer { to in
          var whole = trim_plane(
            rows: from.baseAddress, stride: source.stride, width: width, height: height)
          var small = trim_plane(
            rows: to.baseAddress, stride: target.stride, width: columns, height: rows)
          trim_shrink(&whole, &small, UInt32(shift))
        }
      }
      for row in 0..<rows {
        let line = target.bytes[row * target.stride..<(row + 1) * target.stride]
        let means = (0..<columns).map { source.mean($0, row, side: side) }
        #expect(Array(line) == means + [7, 7, 7], "\(random): \(width)x\(height), row \(row)")
      }
    }
  }
}
