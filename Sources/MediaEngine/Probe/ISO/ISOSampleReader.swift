import ISOMedia
import MediaFacts

/// Looks into the first bytes of single samples, as far as the sample table cannot tell.
struct ISOSampleReader<Bytes: RandomAccessBytes> {
  let file: Bytes
  let track: ISOTrack
  let table: ISOSampleTable

  /// The first bytes of a sample; `nil` when they are not in the file.
  func bytes(ofSample index: Int, atMost limit: Int) -> [UInt8]? {
    guard let offset = table.offset(index), index < table.sizes.count else { return nil }
    let count = min(limit, Int(table.sizes[index]))
    guard count > 0, let bytes = try? file.read(at: offset, count: count), bytes.count == count
    else { return nil }
    return bytes
  }
}

extension ISOSampleReader {
  /// The keyframes that lie inside the file, in decode order.
  func keyframes(
    times: ISOMediaTimes, codec: String, readsBitstream: Bool
  ) -> [GOPSummary.Entry] {
    var entries: [GOPSummary.Entry] = []
    for position in 0..<times.sampleCount {
      let index = times.present?[position] ?? position
      guard table.isSync(index) else { continue }
      entries.append(
        GOPSummary.Entry(
          decodeIndex: position, pts: times.pts[position], byteOffset: table.offset(index),
          access: .unknown))
    }
    return entries
  }

  func firstDecodable(
    after first: GOPSummary.Entry, times: ISOMediaTimes, codec: String
  ) -> Int64? { nil }

  func codecPriming(_ codec: String) -> Int? { nil }
}
