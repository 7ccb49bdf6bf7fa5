import ISOMedia
import Trimming

extension OutputContainer {
  /// FFmpeg's name of the muxer.
  var muxer: String {
    switch self {
    case .m4a: "ipod"
    default: rawValue
    }
  }

  /// What kind of MP4 it is, where it is one.
  var brands: ISOBrands.Family {
    switch self {
    case .mov: .quickTime
    case .m4a: .m4a
    default: .mp4
    }
  }

  /// True for MP4 and its kin, which are written natively.
  var isISO: Bool { rules.isISO }
  var stampsSound: Bool { rules.stampsSound }
  var endings: String { rules.ending }

  func hidesSamples(of codec: String) -> Bool { rules.hidesSamples(of: codec) }
  func forgetsPackets(of codec: String) -> Bool { rules.forgetsPackets(of: codec) }
}
