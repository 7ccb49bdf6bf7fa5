import Glibc
package import Libav

/// Tone-maps an HDR picture for a standard screen.
///
/// Reference white (203 cd/m², ITU-R BT.2408) becomes three quarters of the screen's luminance;
/// what is brighter is compressed above that rather than clipped, at the same hue. Colors outside
/// BT.709 are clipped.
package struct ToneMap {
  /// Linear light by 16-bit value, in units of reference white.
  private let light: [Float]
  private let isSceneLight: Bool

  package init(_ transfer: DecodedPicture.Transfer) {
    isSceneLight = transfer == .hybridLogGamma
    light = (0...Self.steps).map { step in
      let value = Double(step) / Double(Self.steps)
      return Float(
        transfer == .hybridLogGamma ? Self.hybridLogGamma(value) : Self.perceptual(value))
    }
  }

  private static let steps = 4095
  private static let referenceWhite = 203.0

  /// SMPTE ST 2084, 5.1: the linear light of a value.
  private static func perceptual(_ value: Double) -> Double {
    let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
    let power = pow(value, 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1) * 10_000 / referenceWhite
  }

  /// ITU-R BT.2100, table 5: the scene-linear light of a value, from 0 to 1.
  private static func hybridLogGamma(_ value: Double) -> Double {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
  }

  /// - Parameter values: 16-bit little-endian RGB.
  /// - Returns: the same picture as 8-bit RGB.
  package func applied(to values: [UInt8]) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: values.count / 2)
    for pixel in 0..<values.count / 6 {
      func light(_ channel: Int) -> Float {
        let offset = pixel * 6 + channel * 2
        let value = Int(values[offset]) | Int(values[offset + 1]) << 8
        return self.light[value * Self.steps / 65535]
      }
      let mapped = map(light(0), light(1), light(2))
      pixels[pixel * 3] = Self.encoded(mapped.0)
      pixels[pixel * 3 + 1] = Self.encoded(mapped.1)
      pixels[pixel * 3 + 2] = Self.encoded(mapped.2)
    }
    return pixels
  }

  private func map(_ r: Float, _ g: Float, _ b: Float) -> (Float, Float, Float) {
    var (r, g, b) = (r, g, b)
    if isSceneLight {
      // The system gamma of a display of 1000 cd/m² (ITU-R BT.2100, table 5).
      let luma = 0.2627 * r + 0.6780 * g + 0.0593 * b
      let gain = Float(1000 / Self.referenceWhite) * powf(max(luma, 1e-6), 0.2)
      (r, g, b) = (r * gain, g * gain, b * gain)
    }
    // BT.2020 to BT.709 primaries (ITU-R BT.2087).
    let red = 1.6605 * r - 0.5876 * g - 0.0728 * b
    let green = -0.1246 * r + 1.1329 * g - 0.0083 * b
    let blue = -0.0182 * r - 0.1006 * g + 1.1187 * b
    let peak = max(red, green, blue)
    let knee: Float = 0.8
    // Linear up to the knee, then a curve approaching one; both have the same slope there.
    let level = peak * knee
    let pressed =
      level <= 0.6 ? level : 0.6 + 0.4 * (level - 0.6) / (level - 0.6 + 0.4)
    let gain = peak > 0 ? pressed / peak : 0
    return (red * gain, green * gain, blue * gain)
  }

  /// IEC 61966-2-1: the sRGB value for linear light.
  private static func encoded(_ light: Float) -> UInt8 {
    let light = min(max(light, 0), 1)
    let value = light <= 0.0031308 ? light * 12.92 : 1.055 * powf(light, 1 / 2.4) - 0.055
    return UInt8(value * 255 + 0.5)
  }
}
