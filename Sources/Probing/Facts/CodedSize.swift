package import Bitstreams
import ExactTime
package import MediaFacts

/// The size of a track's pictures: a decoder follows the bitstream, whatever the container states.
package enum CodedSize {
  /// Codecs in which every keyframe's header states the output picture size.
  private static let stating: Set<Codec> = [.h264, .hevc, .vp8, .vp9, .av1, .mpeg4, .dnxhd]

  /// Takes the size from a picture's header.
  ///
  /// - Returns: a note where the container states a different size.
  package static func correct(_ facts: inout TrackFacts, by header: VideoHeader) -> Note? {
    guard let width = header.width, let height = header.height, width > 0, height > 0,
      let video = facts.video, video.width != width || video.height != height
    else { return nil }
    let isUnstated = video.width == 0 && video.height == 0
    guard isUnstated || stating.contains(facts.codec) else { return nil }
    facts.video?.width = width
    facts.video?.height = height
    // MXF states the aspect ratio of the whole picture; FFmpeg derives the pixel aspect ratio from
    // the stored lines.
    if facts.codec == .dnxhd, !isUnstated, let ratio = video.sampleAspectRatio,
      let stored = try? Rational(
        checked: Int128(video.width) * Int128(height), over: Int128(video.height) * Int128(width))
    {
      facts.video?.sampleAspectRatio = try? ratio.multiplied(by: stored)
    }
    if isUnstated { return nil }
    return note(stated: (video.width, video.height), (width, height), track: facts.id)
  }

  /// The note that the container states a different size than the pictures have, where their size
  /// has already replaced it.
  package static func contradiction(
    of stated: (width: Int, height: Int)?, in facts: TrackFacts
  ) -> Note? {
    guard let stated, let video = facts.video, video.width > 0, video.height > 0,
      stated != (video.width, video.height),
      stating.contains(facts.codec) || facts.codec == .mpeg2Video
    else { return nil }
    return note(stated: stated, (video.width, video.height), track: facts.id)
  }

  /// All that a header states about the pictures.
  package static func facts(_ header: VideoHeader) -> VideoFacts {
    var video = VideoFacts(width: header.width ?? 0, height: header.height ?? 0)
    video.pixelFormat = header.pixelFormat
    video.bitDepth = header.bitDepth
    video.sampleAspectRatio = header.sampleAspectRatio
    video.colorPrimaries = header.color.primaries.flatMap(CodePoints.primaries)
    video.colorTransfer = header.color.transfer.flatMap(CodePoints.transfer)
    video.colorMatrix = header.color.matrix.flatMap(CodePoints.matrix)
    video.colorRange = header.isFullRange.map { $0 ? "pc" : "tv" }
    video.fieldOrder = header.isProgressive == true ? "progressive" : nil
    video.nominalFrameRate = header.frameRate
    return video
  }

  package static func note(
    stated: (width: Int, height: Int), _ own: (width: Int, height: Int), track: Int
  ) -> Note {
    Note(
      .sizeDiffers, track: track,
      "The container states \(stated.width)x\(stated.height), but the frames are "
        + "\(own.width)x\(own.height).")
  }
}
