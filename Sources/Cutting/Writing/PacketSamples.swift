import MediaFacts
import MediaFiles
import Trimming

/// Splits packets into the samples that are written: one each, but for uncompressed audio one per
/// tick, as in MP4 and QuickTime.
struct PacketSamples {
  private let track: OutputTrack
  /// Empty where each packet is one sample.
  private let counts: [Int]
  private var packet = -1
  private var first = 0
  private var end = 0
  private var bytes: [UInt8] = []

  init(_ track: OutputTrack, of source: any CutSource) {
    self.track = track
    guard let size = Self.size(of: track, in: source) else {
      counts = []
      return
    }
    let counts = track.packets.map { Self.count($0, ofSize: size) }
    self.counts = counts.allSatisfy { $0 == 1 } ? [] : counts
  }

  /// The size in bytes of a sample of uncompressed audio, all channels included; `nil` for
  /// everything else, where each packet is one sample.
  static func size(of track: OutputTrack, in source: any CutSource) -> Int? {
    guard track.audio != nil else { return nil }
    return size(track.codec(in: source), source.tracks[track.source])
  }

  /// The same for a codec, with the channels of a track.
  static func size(_ codec: Codec, _ track: SourceTrack) -> Int? {
    guard let size = AudioCodec.sampleSize(of: codec), let channels = track.facts.audio?.channels,
      channels > 0
    else { return nil }
    return size * channels
  }

  /// How many samples a packet is written as.
  static func count(_ packet: OutputPacket, ofSize size: Int?) -> Int {
    guard let size, packet.byteCount % size == 0 else { return 1 }
    let count = packet.byteCount / size
    // In other tracks, ticks are not samples.
    return count > 0 && Int64(count) == packet.duration ? count : 1
  }

  /// The bytes of a sample, and of following samples in the same packet.
  ///
  /// Samples must be taken in order.
  ///
  /// - Parameters:
  ///   - sample: the first to take, counted over the whole track.
  ///   - limit: the end of the wanted samples, exclusive.
  mutating func take(
    _ sample: Int, to limit: Int, _ read: (OutputPacket) throws(MediaError) -> [UInt8]
  ) throws(MediaError) -> (content: [UInt8], count: Int, packet: Int) {
    guard !counts.isEmpty else { return (try read(track.packets[sample]), 1, sample) }
    while sample >= end, packet + 1 < counts.count {
      packet += 1
      first = end
      end += counts[packet]
      if sample < end { bytes = try read(track.packets[packet]) }
    }
    let size = bytes.count / max(1, end - first)
    let last = min(limit, end)
    guard sample >= first, last > sample, last - first <= bytes.count / max(1, size) else {
      throw MediaError(.internalError, "a sample of uncompressed audio is not in any packet")
    }
    let content = bytes[(sample - first) * size..<(last - first) * size]
    return (Array(content), last - sample, packet)
  }
}
