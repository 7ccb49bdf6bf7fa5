import Libav
import MediaFacts
import Trimming

/// What pictures lose where they are converted to the format of another source.
enum RefitLoss {
  static func reasons(_ own: SourceTrack, becoming other: SourceTrack) -> [PictureRefit.Loss] {
    guard let mine = own.facts.video, let theirs = other.facts.video else { return [] }
    var reasons: [PictureRefit.Loss] = []
    if hasAlpha(mine), !hasAlpha(theirs) { reasons.append(.alpha) }
    if mine.isInterlaced, !writesFields(other, theirs) { reasons.append(.fieldOrder) }
    if let metadata = mine.hdr, !metadata.isEmpty, metadata != theirs.hdr {
      reasons.append(.hdrMetadata)
    }
    return reasons
  }

  /// Whether the encoder of a format tells of each picture's fields.
  private static func writesFields(_ track: SourceTrack, _ video: VideoFacts) -> Bool {
    guard video.isInterlaced else { return false }
    let choice = EncoderChoice(
      codec: track.facts.codec, video: video, configuration: track.configuration)
    // FFmpeg hands them to no encoder of HEVC.
    return choice.map { $0.settings(video).isInterlaced && track.facts.codec != .hevc } ?? false
  }

  /// By FFmpeg's names of pixel formats.
  private static func hasAlpha(_ video: VideoFacts) -> Bool {
    guard let format = video.pixelFormat else { return false }
    return ["yuva", "gbrap", "ya8", "ya16", "rgba", "bgra", "argb", "abgr", "ayuv", "vuya"]
      .contains { format.hasPrefix($0) }
  }
}
