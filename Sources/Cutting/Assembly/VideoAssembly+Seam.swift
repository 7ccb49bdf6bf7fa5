import Bitstreams
import MediaFacts
import MediaFiles

extension VideoAssembly {
  /// Which encoded pictures before the copied run begin a new sequence, so that no picture that a
  /// decoder may still hold has the POC of the following CRA picture, which becomes a BLA
  /// picture.
  ///
  /// POC restarts there (ITU-T H.265, 8.3.1), but FFmpeg 8 treats two pictures of the same POC as
  /// one, and drops the BLA picture and all that refer to it.
  ///
  /// - Parameters:
  ///   - head: the places of the encoded pictures, in display order.
  ///   - interval: the encoder's GOP length in pictures.
  func beginning(
    in head: [Int], before entry: Int?, interval: Int
  ) throws(MediaError) -> Set<Int> {
    let track = source.tracks[index]
    guard track.facts.codec == .hevc, let entry, !head.isEmpty,
      source.access(ofTrack: index, entry) == .cra
    else { return [] }
    var counts = try source.orderCounts(ofTrack: index)
    let bytes = try source.bytes(ofTrack: index, entry)
    guard let count = counts.count(ofPicture: bytes, track.framing),
      let length = Self.lastGroup(of: head.count, interval, avoiding: Int64(count))
    else { return [] }
    return [head[head.count - length]]
  }

  /// The required length in pictures of the last GOP of a run; `nil` if it can stay as it is.
  static func lastGroup(of count: Int, _ interval: Int, avoiding order: Int64) -> Int? {
    let length = (count - 1) % max(1, interval) + 1
    guard (Int64(max(0, length - HEVCOrderCounts.held))..<Int64(length)).contains(order) else {
      return nil
    }
    // A GOP of one picture has only POC 0; at the end of a long one, POC 0 is no longer held.
    let wanted = order == 0 ? HEVCOrderCounts.held + 1 : 1
    return wanted <= count ? wanted : nil
  }
}
