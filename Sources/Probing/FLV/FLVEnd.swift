import Libav
import MediaFacts
import MediaFiles

/// Where an FLV ends because another begins in the same file, as when files are concatenated.
///
/// FFmpeg mistakes the second header for a tag of several megabytes, and resumes wherever that ends.
struct FLVEnd: PacketObserver {
  private let file: InputFile
  /// Where the tag of the last packet in the file begins, as reported by FFmpeg.
  private var last: Int64 = 0
  private var lastCount = 0
  private var second: Int64?

  /// Far larger than a usual packet's tag (Video File Format Specification 10.1, E.4.1); several
  /// tags without packets may come in between.
  private static let step: Int64 = 1 << 20
  private static let mostTags = 100_000

  /// `nil` for other formats.
  init?(format: String, _ file: InputFile) {
    guard SourceRules(format).isFLV else { return nil }
    self.file = file
  }

  mutating func see(_ packet: inout PacketFacts) -> PacketStanding {
    guard let offset = packet.byteOffset else { return .counted }
    if last > 0, offset - last - Int64(lastCount) > Self.step { look(upTo: offset) }
    guard second == nil else { return .behindEnd }
    if offset > last { (last, lastCount) = (offset, packet.byteCount) }
    return .counted
  }

  /// Examines what follows the last packet, too.
  mutating func finish() -> PacketFindings {
    if second == nil, last > 0 { look(upTo: .max) }
    guard let second else { return PacketFindings() }
    return PacketFindings(notes: [
      Note(
        .secondFile,
        "Another FLV begins at byte \(second), as in concatenated files; the rest is not presented."
      )
    ])
  }

  private mutating func look(upTo limit: Int64) {
    guard var tags = FLVTags(file, from: last) else { return }
    var count = 0
    while count < Self.mostTags, let tag = tags.next(), tag.body.upperBound < limit { count += 1 }
    second = tags.secondHeader
  }
}
