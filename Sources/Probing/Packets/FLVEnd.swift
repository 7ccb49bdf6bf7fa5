#if FFmpeg
  import Libav
  import MediaFacts
  import MediaFiles

  /// Where an FLV ends because another begins in the same file, as where files are put end to end.
  ///
  /// FFmpeg takes the second header for a tag of some megabytes, and goes on behind it wherever that is.
  struct FLVEnd {
    private let file: InputFile
    /// Where the tag of the farthest packet begins, as FFmpeg tells it.
    private var last: Int64 = 0
    private var lastCount = 0
    private(set) var second: Int64?

    /// Far more than a tag of a packet usually has (Video File Format Specification 10.1, E.4.1); several
    /// tags of no packets may stand between.
    private static let step: Int64 = 1 << 20
    private static let mostTags = 100_000

    /// `nil` for other formats.
    init?(format: String, _ file: InputFile) {
      guard format == "flv" else { return nil }
      self.file = file
    }

    /// Whether a packet is one of the first FLV's.
    mutating func contains(_ packet: PacketFacts) -> Bool {
      guard second == nil, let offset = packet.byteOffset else { return second == nil }
      if last > 0, offset - last - Int64(lastCount) > Self.step { look(upTo: offset) }
      guard second == nil else { return false }
      if offset > last { (last, lastCount) = (offset, packet.byteCount) }
      return true
    }

    /// Looks at what stands behind the last packet.
    mutating func finish() {
      if second == nil, last > 0 { look(upTo: .max) }
    }

    private mutating func look(upTo limit: Int64) {
      guard var tags = FLVTags(file, from: last) else { return }
      var count = 0
      while count < Self.mostTags, let tag = tags.next(), tag.body.upperBound < limit { count += 1 }
      second = tags.secondHeader
    }

    var note: Note? {
      second.map {
        Note(
          "second-file",
          "Another FLV begins at byte \($0), as where files are put end to end; what follows is not "
            + "presented.")
      }
    }
  }
#endif
