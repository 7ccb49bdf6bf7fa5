/// How many samples each pixel covers.
public enum WaveformScale: Sendable, Hashable {
  /// The same number for each pixel; the last one may have fewer.
  case samplesPerPixel(Int)
  /// This many pixels, with samples distributed as evenly as possible.
  case pixels(Int)

  /// The number of pixels for a number of samples.
  package func pixelCount(_ samples: Int64) -> Int64 {
    switch self {
    case .samplesPerPixel(let count): (samples + Int64(count) - 1) / Int64(count)
    case .pixels(let count): Int64(count)
    }
  }

  /// The first sample of a pixel.
  package func start(ofPixel pixel: Int64, of samples: Int64) -> Int64 {
    switch self {
    case .samplesPerPixel(let count): pixel * Int64(count)
    // Samples and pixels are limited, so that their product fits in 62 bits.
    case .pixels(let count): pixel * samples / Int64(count)
    }
  }

  /// The pixel of a sample.
  package func pixel(of sample: Int64, of samples: Int64) -> Int64 {
    switch self {
    case .samplesPerPixel(let count): return sample / Int64(count)
    case .pixels(let count):
      var pixel = sample * Int64(count) / samples
      while start(ofPixel: pixel + 1, of: samples) <= sample { pixel += 1 }
      return pixel
    }
  }
}
