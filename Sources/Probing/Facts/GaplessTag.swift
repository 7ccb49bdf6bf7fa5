package import MediaFacts

/// What is written beside the sound of its first and last samples: the text `iTunSMPB`, in the metadata of
/// MP4 (`----`) and in ID3 comments, and the head of CAF's packet table.
package struct GaplessTag: Equatable {
  package var priming: Int
  package var padding: Int
  package var sampleCount: Int
  /// What states it.
  package private(set) var name: String

  package static let key = "iTunSMPB"

  /// What the packet table of CAF (`pakt`) states; `nil` where that cannot be.
  package init?(priming: Int, padding: Int, sampleCount: Int) {
    // Encoders look ahead by a few frames at most.
    guard (0..<1 << 20).contains(priming), (0..<1 << 20).contains(padding), sampleCount >= 0 else {
      return nil
    }
    (self.priming, self.padding, self.sampleCount) = (priming, padding, sampleCount)
    name = "packet table"
  }

  /// Reads fields of hexadecimal digits: a zero, the samples of priming, those of padding, and those of the
  /// sound between them; what follows is about seeking.
  package init?(_ text: String) {
    let fields = text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\0" }).prefix(4)
    let numbers = fields.compactMap { field in
      field.allSatisfy(\.isHexDigit) && field.count <= 16 ? Int64(field, radix: 16) : nil
    }
    guard numbers.count == 4, let priming = Int(exactly: numbers[1]),
      let padding = Int(exactly: numbers[2]), let count = Int(exactly: numbers[3])
    else { return nil }
    self.init(priming: priming, padding: padding, sampleCount: count)
    name = "tag \(Self.key)"
  }

  /// The first of a list of tags that reads as one.
  package init?(in tags: [Tag]) {
    guard let tag = tags.lazy.compactMap({ $0.key == Self.key ? Self($0.value) : nil }).first
    else { return nil }
    self = tag
  }

  /// What is hidden of a track that holds `total` samples.
  ///
  /// The three numbers add up to all that the track holds, to a packet; where they do not they speak
  /// of another recording (tools copy the text along when they cut), and `nil` is the answer.
  ///
  /// - Parameter packet: samples of one packet.
  package func hidden(of total: Int64, packet: Int64) -> (priming: Int, padding: Int)? {
    let stated = Int64(priming) + Int64(padding)
    let sum = sampleCount > 0 ? stated + Int64(min(sampleCount, 1 << 52)) : total
    guard stated < total, (sum - total).magnitude <= packet.magnitude else { return nil }
    let end = sampleCount > 0 ? min(total, Int64(priming + sampleCount)) : total - Int64(padding)
    return (priming, Int(total - end))
  }

  package func contradiction(track: Int) -> Note {
    Note(
      "gapless-tag-ignored", track: track,
      "The \(name) speaks of another number of samples than the track holds; it is ignored.")
  }
}
