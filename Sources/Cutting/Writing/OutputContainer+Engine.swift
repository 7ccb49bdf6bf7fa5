import ISOMedia
import MediaFacts
import Trimming

extension OutputContainer {
  var muxer: String { rules.muxer }

  /// The brand family for MP4 and its relatives; `mp4`, which is not used, for other containers.
  var brands: ISOBrands.Family {
    switch rules.isoFamily {
    case .quickTime: .quickTime
    case .m4a: .m4a
    case .threeGP: .threeGP
    case .mp4, nil: .mp4
    }
  }

  /// True for MP4 and its relatives, which are written natively.
  var isISO: Bool { rules.isISO }
  var stampsSound: Bool { rules.audio.stampsPackets }
  var endings: String { rules.ending }

  func hidesSamples(of codec: Codec) -> Bool { rules.hidesSamples(of: codec) }
  func forgetsPackets(of codec: Codec) -> Bool { rules.forgetsPackets(of: codec) }
}
