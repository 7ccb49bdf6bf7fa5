#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How a player rotates the picture.
package struct ISOOrientation: Hashable, Sendable {
  /// Clockwise degrees, 0 to 359: right angles are exact, others rounded.
  package var degreesClockwise: Int
  /// True when the matrix also mirrors; the angle is then that of its first column, as in FFmpeg.
  package var isMirrored: Bool

  package init(degreesClockwise: Int = 0, isMirrored: Bool = false) {
    self.degreesClockwise = degreesClockwise
    self.isMirrored = isMirrored
  }

  /// Derives it from the transformation of a track's picture to the movie's coordinates.
  init(_ matrix: DisplayMatrix) {
    let a = matrix.value(0, 0)
    let b = matrix.value(0, 1)
    let c = matrix.value(1, 0)
    let d = matrix.value(1, 1)
    let determinant = Int128(a) * Int128(d) - Int128(b) * Int128(c)
    isMirrored = determinant < 0
    switch (a.signum(), b.signum()) {
    case (1, 0), (0, 0): degreesClockwise = 0
    case (0, 1): degreesClockwise = 90
    case (-1, 0): degreesClockwise = 180
    case (0, -1): degreesClockwise = 270
    default: degreesClockwise = Self.angle(matrix)
    }
  }

  /// The angle of a rotation that is not a right angle, with each axis scaled to length 1 first.
  private static func angle(_ matrix: DisplayMatrix) -> Int {
    func length(_ column: Int) -> Double {
      let length = hypot(Double(matrix.value(0, column)), Double(matrix.value(1, column)))
      return length > 0 ? length : 1
    }
    let cosine = Double(matrix.value(0, 0)) / length(0)
    let sine = Double(matrix.value(0, 1)) / length(1)
    let degrees = Int((atan2(sine, cosine) * 180 / Double.pi).rounded())
    return (degrees + 360) % 360
  }
}

/// A transformation matrix: 16.16 numbers, the last column 2.30 (ISO 14496-12, 8.2.2).
struct DisplayMatrix: Hashable, Sendable {
  private var elements: [Int64]

  static let identity = DisplayMatrix(elements: [
    1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30,
  ])

  private init(elements: [Int64]) { self.elements = elements }

  init(_ fields: inout FieldReader) {
    var elements: [Int64] = []
    for _ in 0..<9 { elements.append(Int64(fields.i32())) }
    self.elements = elements
  }

  func value(_ row: Int, _ column: Int) -> Int64 { elements[row * 3 + column] }

  /// This matrix first, then the other.
  func followed(by other: DisplayMatrix) -> DisplayMatrix {
    let shifts: [Int64] = [16, 16, 30]
    var result = [Int64](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        // Each factor has 32 bits, so a shifted product has 48 and three of them never overflow.
        for k in 0..<3 {
          result[row * 3 + column] += (value(row, k) * other.value(k, column)) >> shifts[k]
        }
      }
    }
    return DisplayMatrix(elements: result)
  }
}
