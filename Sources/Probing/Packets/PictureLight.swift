import Bitstreams
import ExactTime
package import Libav
package import MediaFacts

/// HDR metadata of a stream, as FFmpeg reads it from the container and as stored in its
/// configuration.
package enum PictureLight {
  package static func facts(of track: LibavTrack) -> HDRFacts {
    var facts = HDRFacts()
    facts.masteringDisplay = display(track.masteringDisplay)
    if let light = track.contentLight, light.maximum > 0 || light.average > 0 {
      facts.contentLight = HDRFacts.ContentLight(
        maximum: light.maximum, maximumFrameAverage: light.average)
    }
    if track.dolbyVision.count >= 8 {
      // Version, revision, profile, level, three flags (the second: an enhancement layer), then the
      // compatibility, one byte each.
      let fields = track.dolbyVision.map { Int($0) }
      facts.dolbyVision = HDRFacts.DolbyVision(
        profile: fields[2], level: fields[3], compatibility: fields[7],
        hasEnhancementLayer: fields[5] != 0)
    }
    if track.codec == .hevc, track.extradata.first == 1 {
      facts.complete(with: HDRReader.facts(hvcC: track.extradata))
    }
    return facts
  }

  /// Converts ten fractions: x and y of red, green, blue and white, then minimum and maximum
  /// luminance.
  private static func display(_ fractions: [Rational?]) -> HDRFacts.MasteringDisplay? {
    guard fractions.count == 10, fractions.contains(where: { $0?.isPositive == true }) else {
      return nil
    }
    func point(_ place: Int) -> HDRFacts.Chromaticity? {
      guard let x = fractions[place], let y = fractions[place + 1], y.isPositive else { return nil }
      return HDRFacts.Chromaticity(x: x, y: y)
    }
    var display = HDRFacts.MasteringDisplay()
    (display.red, display.green, display.blue) = (point(0), point(2), point(4))
    display.white = point(6)
    if fractions[9]?.isPositive == true {
      (display.minimumLuminance, display.maximumLuminance) = (fractions[8], fractions[9])
    }
    return display
  }
}
