import Libav
import MediaFacts

/// Everything that one full read of an input yields, to compare with another read.
struct Reading: Equatable {
  var format: String
  var codecs: [String]
  var packets: [[Int64]]

  /// Opens, recognises and reads to the end.
  init(
    _ input: any ByteInput, limits: DemuxerLimits = DemuxerLimits(),
    deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(LibavError) {
    var demuxer = try Demuxer(
      input, limits: limits, deadline: deadline, isCancelled: isCancelled)
    format = demuxer.formatName
    codecs = demuxer.tracks.map(\.codec.rawValue)
    packets = []
    while let packet = try demuxer.nextPacket() {
      let stamps = [packet.pts ?? .min, packet.dts ?? .min, packet.duration]
      packets.append([Int64(packet.stream), Int64(packet.byteCount)] + stamps)
    }
  }
}
