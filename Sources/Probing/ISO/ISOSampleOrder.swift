import Bitstreams
import ISOMedia

/// Some writers state when samples are decoded and leave out when they are shown (`ctts`; ISO 14496-12, 8.6.1.3):
/// FFmpeg's copies of raw streams, old ones of VLC.
///
/// Where their pictures are reordered all the same, the one that is shown n-th takes the n-th time.
package struct ISOSampleOrder {
  /// Codecs whose pictures tell in which order they are shown.
  package static let codecs: Set<String> = ["h264", "hevc"]

  /// Up to the header of the first slice, behind what may stand before it.
  private static let headBytes = 4096
  /// Encoders that reorder do so in every second.
  private static let mostInOrder = 256

  /// The samples that show something, and these in the order in which they are shown.
  let samples: [Int]
  let shown: [Int]

  /// - Returns: `nil` where times are stated, pictures are shown as they are decoded, or their order is not known.
  init?<Bytes>(_ reader: ISOSampleReader<Bytes>) {
    let (track, table) = (reader.track, reader.table)
    guard Self.codecs.contains(reader.codecName), !track.isEncrypted,
      !track.timing.statesPresentation, table.sizes.count == table.count,
      var clock = PictureClock(orderOf: reader.codecName, configuration: reader.configuration)
    else { return nil }
    var samples: [Int] = []
    for index in 0..<table.count where table.byteCount(index) > 0 && !reader.showsNothing(index) {
      // Whether units stand behind lengths shows in a whole sample alone.
      let most = samples.isEmpty ? table.byteCount(index) : Self.headBytes
      // Behind the end of a damaged file nothing is shown.
      guard let head = reader.bytes(ofSample: index, atMost: most) else { break }
      guard clock.add(head, instant: nil, duration: 0) != nil, !clock.isLost else { return nil }
      samples.append(index)
      if samples.count == Self.mostInOrder, clock.isInOrder { return nil }
    }
    guard !clock.isInOrder, let shown = clock.shown, shown.count == samples.count else {
      return nil
    }
    self.samples = samples
    self.shown = shown.map { samples[$0] }
  }
}
