import ExactTime
import Libav
import MediaFacts
import Trimming

/// Pictures in a format of their own, H.264, where the output holds the codec of none of the sources that
/// are joined: how they are described before any of them is encoded.
struct MadePictures {
  static let codec = Codec.h264

  var facts: TrackFacts
  /// avcC.
  var configuration: [UInt8]
  let parameters: CodecParameters

  /// A track with these pictures in place of its own.
  func described(_ track: SourceTrack) -> SourceTrack {
    var result = track
    let durations = track.facts.durations
    result.facts = facts
    result.facts.durations = durations
    result.coded.codec = Self.codec
    result.configuration = configuration
    result.parameters = parameters
    result.isReframed = true
    result.describedAt = nil
    result.hasAlpha = false
    (result.corrupt, result.strays, result.overlaps) = ([], [:], [])
    return result
  }

  /// The facts of a track as H.264: turned upright, which every container can express, and in a pixel
  /// format that has a profile of H.264, with the even sides that 4:2:0 needs.
  static func facts(like other: TrackFacts) -> TrackFacts {
    var facts = other
    facts.codec = codec
    (facts.codecTag, facts.profile, facts.level) = (nil, nil, nil)
    guard var video = other.video else { return facts }
    let swapsSides = video.rotation % 180 != 0
    if swapsSides {
      (video.width, video.height) = (video.height, video.width)
      video.sampleAspectRatio = video.sampleAspectRatio.flatMap {
        try? Rational.one.divided(by: $0)
      }
    }
    (video.rotation, video.isMirrored) = (0, false)
    // Only the colors are described.
    video.hdr = nil
    let depth = video.bitDepth ?? (other.video?.pixelFormat?.contains("10") == true ? 10 : 8)
    let own = video.pixelFormat ?? ""
    // Chroma halved in one direction only cannot be turned.
    if !formats.contains(own) || swapsSides && own.contains("422") {
      video.pixelFormat = depth > 8 ? "yuv420p10le" : "yuv420p"
      video.bitDepth = depth > 8 ? 10 : 8
      if ["gbr", "rgb"].contains(video.colorMatrix ?? "") || own.hasPrefix("gbr")
        || own.hasPrefix("rgb") || own.hasPrefix("bgr")
      {
        (video.colorMatrix, video.colorRange) = (video.height >= 720 ? "bt709" : "smpte170m", "tv")
      }
    }
    (video.width, video.height) = (video.width + video.width % 2, video.height + video.height % 2)
    facts.video = video
    return facts
  }

  /// What libx264 takes (ITU-T H.264, A.2: High, High 10, High 4:2:2 and High 4:4:4 Predictive).
  private static let formats: Set<String> = [
    "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "yuv420p10le",
    "yuv422p10le", "yuv444p10le",
  ]
}
