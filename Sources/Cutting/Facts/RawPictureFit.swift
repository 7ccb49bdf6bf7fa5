import Libav
import MediaFacts
import Trimming

/// Uncompressed pictures whose layout is only given by the bits per pixel, which imply a
/// different byte or row order in AVI than in QuickTime.
enum RawPictureFit {
  /// - Parameter isISO: whether the source is QuickTime or MP4.
  static func isLost(
    _ track: SourceTrack, fromISO isISO: Bool, _ format: String, in container: OutputContainer,
    _ demuxer: borrowing Demuxer
  ) -> Bool {
    guard track.facts.codec == .rawVideo,
      let reported = demuxer.tracks.first(where: { $0.index == track.stream })
    else { return false }
    let tag = track.facts.codecTag
    if container == .avi, isISO {
      return !["24BG", "BGRA", "L555"].contains(tag)
        && !Muxer.knows(
          tag: reported.codecTag, ofStream: track.stream, in: container.muxer, demuxer)
    }
    guard container.isISO, SourceRules(format).isAVI, tag == nil || tag == "DIB " else {
      return false
    }
    // FFmpeg marks bottom-up rows, as in bitmaps, this way.
    return reported.pixelFormat != "bgra"
      || reported.extradata.suffix(9).starts(with: "BottomUp".utf8)
  }
}
