package import Bitstreams
package import MediaFacts

/// Gapless metadata stating priming and padding: the text `iTunSMPB`, in MP4 metadata (`----`) and
/// in ID3 comments, and the header of CAF's packet table.
package struct GaplessTag: Equatable {
  package var priming: Int
  package var padding: Int
  package var sampleCount: Int
  /// The name of the metadata that states it.
  package private(set) var name: String

  package static let key = "iTunSMPB"

  /// Takes what the CAF packet table (`pakt`) states; `nil` for implausible values.
  package init?(priming: Int, padding: Int, sampleCount: Int) {
    // Encoders have a lookahead of a few frames at most.
    guard (0..<1 << 20).contains(priming), (0..<1 << 20).contains(padding), sampleCount >= 0 else {
      return nil
    }
    (self.priming, self.padding, self.sampleCount) = (priming, padding, sampleCount)
    name = "packet table"
  }

  /// Takes what the header of a Musepack file states; what its frames have beyond that is padding.
  package init?(_ header: MusepackHeader?) {
    guard let header else { return nil }
    let total = header.frameCount * MusepackHeader.frameLength
    self.init(
      priming: header.priming, padding: max(0, total - header.priming - header.sampleCount),
      sampleCount: header.sampleCount)
    name = "header"
  }

  /// Reads hexadecimal fields: a zero, then the samples of priming, of padding, and of the audio
  /// between them; later fields are about seeking.
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

  /// Takes the first valid one in a list of tags.
  package init?(in tags: [Tag]) {
    guard let tag = tags.lazy.compactMap({ $0.key == Self.key ? Self($0.value) : nil }).first
    else { return nil }
    self = tag
  }

  /// The hidden samples of a track that contains `total` samples.
  ///
  /// The three numbers must add up to the track's samples, within one packet. Where they do not,
  /// they describe another recording (tools keep the text when they cut), and the result is `nil`.
  ///
  /// - Parameter packet: samples per packet.
  package func hidden(of total: Int64, packet: Int64) -> (priming: Int, padding: Int)? {
    let stated = Int64(priming) + Int64(padding)
    let sum = sampleCount > 0 ? stated + Int64(min(sampleCount, 1 << 52)) : total
    guard stated < total, (sum - total).magnitude <= packet.magnitude else { return nil }
    let end = sampleCount > 0 ? min(total, Int64(priming + sampleCount)) : total - Int64(padding)
    return (priming, Int(total - end))
  }

  package func contradiction(track: Int) -> Note {
    Note(
      .gaplessTagIgnored, track: track,
      "The \(name) gives a different number of samples than the track has; it is ignored.")
  }
}
