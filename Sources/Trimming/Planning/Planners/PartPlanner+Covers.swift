import MediaFacts

/// Cover art is kept with any part of a file, like its tags.
extension PartPlanner {
  /// Plans the covers of MP4, which are not tracks.
  mutating func planCovers() {
    for cover in facts.covers {
      planCover(
        TrackPlan(index: cover.index, id: cover.id, kind: .video, codec: cover.codec),
        cover.byteCount)
    }
  }

  mutating func planCover(_ report: TrackPlan, _ byteCount: Int64) {
    var report = report
    report.isCover = true
    if rules.coverPlace == nil {
      drop(&report, because: "\(rules.ending) cannot hold a cover")
    } else if byteCount == 0 {
      drop(&report, because: "it is empty")
    } else if rules.coverPlace == .comment, !covers.isEmpty {
      drop(&report, because: "\(rules.ending) holds only one cover")
    } else if !Self.coverCodecs.contains(report.codec) {
      drop(&report, because: "only JPEG and PNG covers are copied")
    } else if coverByteCount + byteCount > Self.mostOfCovers {
      drop(
        &report, because: "covers of more than \(Self.mostOfCovers / 1_000_000) MB are not copied")
    } else {
      coverByteCount += byteCount
      // It is written once.
      if number == 0 { (report.packets, report.copiedBytes) = (1, byteCount) }
      covers.append(report)
    }
  }

  /// Formats that MP4 has types for (`covr`) and that all readers support.
  private static let coverCodecs: Set<Codec> = [.mjpeg, .png]

  /// FFmpeg's demuxers read no more before the first audio packet than `DemuxerLimits` allows, and the length
  /// of a FLAC block has 24 bits (RFC 9639, 8.1); in Ogg the cover is Base64, which is a third larger.
  private static let mostOfCovers: Int64 = 12_000_000
}
