import Glibc

/// The rotation that a player applies, from the nine numbers of a display matrix.
enum DisplayMatrix {
  /// - Returns: clockwise degrees, 0 up to 359, and whether the matrix mirrors.
  static func orientation(_ matrix: [Int64]) -> (degrees: Int, isMirrored: Bool) {
    let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
    // Each factor has 32 bits, so the products fit.
    let isMirrored = a * d - b * c < 0
    switch (a.signum(), b.signum()) {
    case (1, 0), (0, 0): return (0, isMirrored)
    case (0, 1): return (90, isMirrored)
    case (-1, 0): return (180, isMirrored)
    case (0, -1): return (270, isMirrored)
    default:
      let degrees = Int((atan2(Double(b), Double(a)) * 180 / .pi).rounded())
      return ((degrees + 360) % 360, isMirrored)
    }
  }
}
