import Bitstreams
import ISOMedia
package import MediaFacts

/// The presentation order of samples where the writer stated DTS but omitted composition offsets
/// (`ctts`; ISO 14496-12, 8.6.1.3).
///
/// FFmpeg does so when copying raw streams, as do old versions of VLC. Where the pictures are
/// reordered nevertheless, the n-th picture in presentation order takes the n-th time.
package struct ISOSampleOrder {
  /// Codecs whose pictures state their presentation order.
  package static let codecs: Set<Codec> = [
    .h264, .hevc, .mpeg1Video, .mpeg2Video, .mpeg4,
  ]

  /// Enough to reach the header of the first slice after whatever may precede it.
  private static let headBytes = 4096
  /// The largest sample that is read as a whole, to see whether NAL units follow lengths or start
  /// codes.
  private static let mostBytes = 8 << 20
  /// How many samples are examined for a reordered one: encoders that reorder do so at least every
  /// second.
  private static let mostInOrder = 256

  /// The samples that show something, in decode order and (``shown``) in presentation order.
  private(set) var samples: [Int] = []
  private(set) var shown: [Int] = []

  /// - Returns: `nil` where times are stated, pictures are not reordered, or their order is not
  ///   known.
  init?<Bytes>(_ reader: ISOSampleReader<Bytes>) {
    let (track, table) = (reader.track, reader.table)
    guard Self.codecs.contains(reader.codecName), !track.isEncrypted,
      !track.timing.statesPresentation, table.sizes.count == table.count,
      var order = Self.order(reader)
    else { return nil }
    var places: [PictureOrder.Place] = []
    var isInOrder = true
    var (looked, damaged) = (0, 0)
    for index in 0..<table.count where table.byteCount(index) > 0 && !reader.showsNothing(index) {
      if isInOrder, looked == Self.mostInOrder { return nil }
      // Headers that state it need not be confirmed at the cost of requests.
      if isInOrder, !reader.isAtHand(index), Self.statesNoReordering(reader) { return nil }
      looked += 1
      // Samples beyond the end of a truncated file are not shown.
      guard let head = reader.bytes(ofSample: index, atMost: Self.headBytes) else { break }
      switch order.add(head[...]) {
      case .picture(let place):
        if let last = places.last, place < last { isInOrder = false }
        places.append(place)
        samples.append(index)
      case .nothing: continue
      // A picture that is not understood keeps its time.
      case .unknown: damaged += 1
      }
    }
    guard !isInOrder, damaged < samples.count / 4 else { return nil }
    shown = places.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { samples[$0] }
  }

  private static func statesNoReordering<Bytes>(_ reader: ISOSampleReader<Bytes>) -> Bool {
    VideoHeader(codec: reader.codecName, configuration: reader.configuration)?.maxReorderFrames == 0
  }

  private static func order<Bytes>(_ reader: ISOSampleReader<Bytes>) -> PictureOrder? {
    let (codec, stated) = (reader.codecName, reader.configuration)
    var configuration = stated
    if reader.table.count > 0, let head = reader.bytes(ofSample: 0, atMost: 4),
      head.starts(with: [0, 0, 1]) || head == [0, 0, 0, 1]
    {
      guard reader.table.byteCount(0) <= mostBytes,
        let whole = reader.bytes(ofSample: 0, atMost: mostBytes)
      else { return nil }
      configuration =
        Framing.startCodes(codec: codec, configuration: stated, packet: whole) ?? stated
    }
    return PictureOrder(codec: codec, configuration: configuration, countsSkipped: true)
  }
}
