import Bitstreams
import Libav
import MediaFacts
import MediaFiles

/// The coded layers of a picture: colors, and for VP8 and VP9 perhaps the alpha channel, coded
/// as the luma of another picture.
enum PictureLayer {
  case colours
  case alpha

  /// What Matroska states about a track, whether or not its pictures have alpha.
  static func isAlphaAnnounced(_ track: LibavTrack) -> Bool {
    track.codec.isOne(of: .vp8, .vp9)
      && track.tags.contains { $0.key.lowercased() == "alpha_mode" && $0.value == "1" }
  }
}

extension SourceTrack {
  /// Whether another view, depth or alpha is coded with the pictures of HEVC (ITU-T H.265,
  /// annexes F to I).
  var hasSecondLayer: Bool {
    guard facts.codec == .hevc else { return false }
    let sets = HEVCSets(configuration: configuration).units[HEVCSets.video] ?? []
    // vps_max_layers_minus1 (7.3.2.1).
    return sets.contains { $0.count > 3 && ($0[2] & 3 != 0 || $0[3] >> 4 != 0) }
  }
}

extension CutSource {
  /// The bytes of a layer of a packet's picture; `nil` where it has no such layer.
  func bytes(
    ofTrack track: Int, _ place: Int, _ layer: PictureLayer
  ) throws(MediaError) -> [UInt8]? {
    switch layer {
    case .colours: try bytes(ofTrack: track, place)
    case .alpha: try alpha(ofTrack: track, place)
    }
  }
}
