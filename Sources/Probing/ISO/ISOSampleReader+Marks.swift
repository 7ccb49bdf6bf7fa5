import Bitstreams
import ISOMedia
import MediaFacts

extension ISOSampleReader {
  /// Codecs in which few samples are keyframes.
  private static var predicted: Set<Codec> {
    [.h264, .hevc, .av1, .vp8, .vp9, .mpeg4, .mpeg2Video]
  }

  /// How many pairs of neighbors are examined first: of two consecutive samples, one is not a
  /// keyframe unless all are.
  private static var pairs: Int { 8 }

  /// Whether the table marks all samples as keyframes, but some of a few examined ones are not.
  var hasFalseMarks: Bool {
    guard table.entryIndices == nil, !track.isEncrypted, table.count > 1,
      Self.predicted.contains(codecName)
    else { return false }
    let some = (0..<Self.pairs).flatMap { pair in
      let first = pair * (table.count - 2) / (Self.pairs - 1)
      return [first, first + 1]
    }
    return some.contains { isEntry($0) == false }
  }

  /// The samples at which decoding can start, and how many are in the file; reads the start of
  /// each.
  var entries: (entries: ContiguousArray<Int>, samples: Int) {
    let answers = (0..<table.count).map(isEntry)
    let entries = ContiguousArray(answers.indices.filter { answers[$0] == true })
    return (entries, answers.count { $0 != nil })
  }

  /// `nil` for a sample that is not in the file.
  private func isEntry(_ index: Int) -> Bool? {
    // Long messages may precede the picture itself.
    for limit in [4096, 65536] {
      guard let start = bytes(ofSample: index, atMost: limit) else { return nil }
      let access = RandomAccess.classify(codec: codecName, start[...], framing: framing)
      if access != .unknown || start.count < limit { return access != .flaggedOnly }
    }
    return true
  }
}
