import MediaFacts

/// The covers that a part keeps: with any part of a file, like its tags.
struct KeptCovers {
  private(set) var kept: [TrackPlan] = []
  private var byteCount: Int64 = 0

  /// Keeps a cover; if not, the report says why.
  ///
  /// - Parameter isCounted: it is written once, with the first part.
  mutating func add(
    _ report: TrackPlan, _ size: Int64, _ rules: ContainerRules, isCounted: Bool
  ) -> TrackPlan? {
    var report = report
    report.isCover = true
    if rules.labels.covers == nil {
      report.dropped = "\(rules.ending) cannot hold a cover"
    } else if size == 0 {
      report.dropped = "it is empty"
    } else if rules.labels.covers == .comment, !kept.isEmpty {
      report.dropped = "\(rules.ending) holds only one cover"
    } else if !Self.codecs.contains(report.codec) {
      report.dropped = "only JPEG and PNG covers are copied"
    } else if byteCount + size > Self.mostBytes {
      report.dropped = "covers of more than \(Self.mostBytes / 1_000_000) MB are not copied"
    }
    guard report.dropped == nil else { return report }
    byteCount += size
    if isCounted { (report.packets, report.copiedBytes) = (1, size) }
    kept.append(report)
    return nil
  }

  /// Formats that MP4 has types for (`covr`) and that all readers support.
  private static let codecs: Set<Codec> = [.mjpeg, .png]

  /// FFmpeg's demuxers read no more before the first audio packet than `DemuxerLimits` allows, and the length
  /// of a FLAC block has 24 bits (RFC 9639, 8.1); in Ogg the cover is Base64, which is a third larger.
  private static let mostBytes: Int64 = 12_000_000
}
