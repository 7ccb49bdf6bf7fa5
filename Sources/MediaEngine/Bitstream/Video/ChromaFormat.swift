/// How colour is sampled against brightness (chroma_format_idc of H.264 and HEVC).
enum ChromaFormat: Int, Hashable, Sendable {
  case monochrome, half, halfWidth, full

  /// Luma samples to a chroma sample, across and down.
  var subsampling: (width: Int, height: Int) {
    switch self {
    case .monochrome, .full: (1, 1)
    case .half: (2, 2)
    case .halfWidth: (2, 1)
    }
  }

  /// FFmpeg's name of the planar format.
  ///
  /// - Parameters:
  ///   - isRGB: the matrix is the identity, so the planes are G, B and R.
  ///   - namesFullRange: 8-bit full range has names of its own (`yuvj420p`), which FFmpeg 5.1 uses
  ///     for H.264 and HEVC only.
  func pixelFormat(bitDepth: Int, isRGB: Bool, namesFullRange: Bool) -> String {
    let depth = bitDepth > 8 ? "\(bitDepth)le" : ""
    let letter = namesFullRange && bitDepth == 8 ? "j" : ""
    switch self {
    case .monochrome: return "gray\(depth)"
    case .half: return "yuv\(letter)420p\(depth)"
    case .halfWidth: return "yuv\(letter)422p\(depth)"
    case .full: return isRGB ? "gbrp\(depth)" : "yuv\(letter)444p\(depth)"
    }
  }
}
