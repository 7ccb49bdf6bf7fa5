import Bitstreams
import ISOMedia
import MediaFacts
import MediaFiles
import Probing
import Trimming

extension ISOCutSource {
  /// Maximum number of bytes at the start of a packet that state its sample count (for FLAC, RFC
  /// 9639, 9.1).
  private static let headBytes = 16

  func packetLengths(ofTrack track: Int) throws(MediaError) -> [Int32] {
    if let known = knownLengths[track] { return known }
    let lengths = try readLengths(ofTrack: track)
    knownLengths[track] = lengths
    return lengths
  }

  private func readLengths(ofTrack track: Int) throws(MediaError) -> [Int32] {
    let (codec, packets) = (tracks[track].facts.codec, tracks[track].coded.packets)
    guard AudioCodec.statesLengths(codec), movie.tracks.indices.contains(track) else { return [] }
    let reader = ISOSampleReader(
      file: bytes, track: movie.tracks[track], table: table(ofTrack: track))
    var blocks = VorbisBlocks(configuration: tracks[track].configuration)
    func stated(_ place: Int) -> Int32 {
      let number = sample(ofTrack: track, place)
      guard !isUnread(number, ofTrack: track),
        let head = reader.bytes(ofSample: number, atMost: Self.headBytes)
      else { return 0 }
      if codec == .vorbis { return Int32(clamping: blocks.samples(head.first) ?? 0) }
      guard case .samples(let count) = AudioFrameLength.samples(codec: codec, head, frameSize: 0)
      else { return 0 }
      return Int32(clamping: count)
    }
    // Most tables state the same duration for all samples, correctly.
    if codec != .vorbis, let first = packets.indices.first.map(stated),
      packets.dropLast().allSatisfy({ $0.duration == Int64(first) })
    {
      return []
    }
    var lengths: [Int32] = []
    lengths.reserveCapacity(packets.count)
    for place in packets.indices {
      if place & 0xFFF == 0, isCancelled() { throw MediaError.cancelled }
      lengths.append(stated(place))
    }
    return lengths
  }
}
