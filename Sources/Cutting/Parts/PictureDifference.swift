import ExactTime
import MediaFacts

/// How the pictures of two tracks differ, if those of one cannot follow those of the other as coded.
struct PictureDifference {
  private let own: VideoFacts
  private let other: VideoFacts
  private let codecs: (own: Codec, other: Codec)

  /// `nil` where one of them has no pictures.
  init?(_ own: SourceTrack, from other: SourceTrack) {
    guard let mine = own.facts.video, let theirs = other.facts.video else { return nil }
    (self.own, self.other) = (mine, theirs)
    codecs = (own.facts.codec, other.facts.codec)
  }

  /// What it is, as part of a sentence that begins with "its"; `nil` for none.
  var text: String? {
    if codecs.own != codecs.other { return "video is \(codecs.own), not \(codecs.other)" }
    if (own.width, own.height) != (other.width, other.height) {
      return "pictures are \(own.width)x\(own.height), not \(other.width)x\(other.height)"
    }
    let shapes = [own, other].map { $0.sampleAspectRatio ?? .one }
    if shapes[0] != shapes[1] { return "pixels are \(shapes[0]), not \(shapes[1]) wide" }
    if own.rotation != other.rotation {
      return "pictures are rotated by \(own.rotation)°, not \(other.rotation)°"
    }
    if own.isMirrored != other.isMirrored {
      return "pictures are \(own.isMirrored ? "" : "not ")mirrored"
    }
    // Standard dynamic range is often not stated.
    let dynamics = [own, other].map(Self.dynamics)
    if dynamics[0] != dynamics[1] { return "pictures are \(dynamics[0]), not \(dynamics[1])" }
    let pairs: [(String, String?, String?)] = [
      ("pixel format", own.pixelFormat, other.pixelFormat),
      ("color transfer", own.colorTransfer, other.colorTransfer),
      ("color primaries", own.colorPrimaries, other.colorPrimaries),
      ("color matrix", own.colorMatrix, other.colorMatrix),
      ("color range", own.colorRange, other.colorRange),
    ]
    for (name, mine, theirs) in pairs {
      guard let mine, let theirs, mine != theirs else { continue }
      return "\(name) is \(mine), not \(theirs)"
    }
    return nil
  }

  /// Why re-encoding would not give the right pictures either; `nil` where it does.
  ///
  /// High and standard dynamic range relate to light in different ways. What is between them is a tone
  /// mapping, which is a choice, and scaled numbers alone look wrong.
  var obstacle: (why: String, hint: String)? {
    if Self.dynamics(own) != Self.dynamics(other) {
      return (
        "its pictures are \(Self.dynamics(own)), not \(Self.dynamics(other)), and there is no tone "
          + "mapping here", "Convert it first, with a tone mapping of your choice."
      )
    }
    if (own.rotation - other.rotation) % 90 != 0 {
      return ("its pictures are rotated by \(own.rotation)°", "Convert it first.")
    }
    if own.isInterlaced, own.height != other.height || own.rotation != other.rotation {
      return (
        "its pictures are interlaced, and scaling would mix their fields",
        "Deinterlace it first: ffmpeg -i IN -vf bwdif OUT"
      )
    }
    return nil
  }

  private static func dynamics(_ video: VideoFacts) -> String {
    switch video.colorTransfer {
    case "smpte2084": "HDR (PQ)"
    case "arib-std-b67": "HDR (HLG)"
    default: "SDR"
    }
  }
}

extension VideoFacts {
  /// Whether its field order is stated to be one of interlaced pictures.
  var isInterlaced: Bool { ["tt", "bb", "tb", "bt"].contains(fieldOrder ?? "") }
}
