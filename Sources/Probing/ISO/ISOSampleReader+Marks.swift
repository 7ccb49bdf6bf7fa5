import Bitstreams
import ISOMedia
import MediaFacts

extension ISOSampleReader {
  /// Codecs of which few samples are keyframes.
  private static var predicted: Set<String> {
    ["h264", "hevc", "av1", "vp8", "vp9", "mpeg4", "mpeg2video"]
  }

  /// How many samples are looked at first.
  private static var spread: Int { 8 }

  /// The samples at which decoding can start, where the table marks all and that is not so; `nil` where it
  /// is right.
  var falselyMarked: ContiguousArray<Int>? {
    guard table.entryIndices == nil, !track.isEncrypted, table.count > 1,
      Self.predicted.contains(codecName)
    else { return nil }
    let some = (1...Self.spread).map { $0 * (table.count - 1) / Self.spread }
    guard some.contains(where: { !isEntry($0) }) else { return nil }
    return ContiguousArray((0..<table.count).filter(isEntry))
  }

  private func isEntry(_ index: Int) -> Bool {
    // Long messages may stand before the picture itself.
    for limit in [4096, 65536] {
      guard let start = bytes(ofSample: index, atMost: limit) else { return true }
      let access = RandomAccess.classify(codec: codecName, start[...], framing: framing)
      if access != .unknown || start.count < limit { return access != .flaggedOnly }
    }
    return true
  }
}
