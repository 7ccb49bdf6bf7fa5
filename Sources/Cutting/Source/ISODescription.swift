import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// Codec descriptions as in an MP4 header: FFmpeg's muxer writes one without samples, which is
/// read back.
enum ISODescription {
  /// A stream of the header, with packets if its codec can only be described from them.
  struct Stream {
    var stream: Muxer.Stream
    /// Number of packets required for its description.
    var needed = 0
    var packets: [[UInt8]] = []
  }

  static func header(
    _ streams: [Stream], of demuxer: borrowing Demuxer, in container: OutputContainer,
    tags: [(key: String, value: String)] = []
  ) throws(MediaError) -> [UInt8] {
    let memory = OutputMemory(limit: 1 << 24)
    let delays = streams.contains { $0.needed > 0 } ? "+delay_moov" : ""
    do throws(LibavError) {
      let muxer = try Muxer(
        format: container.muxer, to: memory, from: demuxer, streams: streams.map(\.stream),
        chapters: [], tags: tags,
        // FFmpeg considers FLAC in MP4 experimental, although it is standardized.
        options: [
          ("movflags", "empty_moov+default_base_moof" + delays), ("strict", "experimental"),
          // A timecode in the tags would become a track.
          ("write_tmcd", "0"),
        ])
      guard streams.contains(where: { !$0.packets.isEmpty }) else { return memory.bytes }
      for (index, stream) in streams.enumerated() {
        for (place, packet) in stream.packets.enumerated() {
          let time = Int64(place) * packetLength
          try muxer.write(
            packet, stream: index, pts: time, dts: time, duration: packetLength, isKey: true)
        }
      }
      try muxer.finish()
    } catch {
      throw MediaError(
        .codecDoesNotFit,
        "\(container.endings) cannot describe one of the tracks: \(error.message)",
        hint: "Write .mkv instead.")
    }
    return memory.bytes
  }

  /// Samples per AC-3 packet (ETSI TS 102 366, 4.1); picture durations do not matter here.
  private static let packetLength: Int64 = 1536

  /// avcC or hvcC for parameter sets with start codes; `nil` where they cannot be parsed.
  static func configuration(
    of track: SourceTrack, sets: [UInt8], _ demuxer: borrowing Demuxer
  ) -> [UInt8]? {
    var stream = Muxer.Stream(
      source: track.stream, tick: Rational(1, 90_000), extradata: sets, tags: [])
    stream.shape = track.shape
    stream.take(track)
    guard let header = try? header([Stream(stream: stream)], of: demuxer, in: .mp4),
      let movie = try? ISOMovie(reading: InMemoryBytes(header)),
      let entry = movie.tracks.first?.sampleEntries.first
    else { return nil }
    return entry.configuration("avcC") ?? entry.configuration("hvcC")
  }

  /// Whether a container's header can describe a source track at all.
  static func describes(
    _ track: SourceTrack, in container: OutputContainer, _ demuxer: borrowing Demuxer
  ) -> Bool {
    let described = described(track, tick: track.coded.grid.secondsPerTick)
    return (try? header([described], of: demuxer, in: container)) != nil
  }

  static func described(_ track: SourceTrack, tick: Rational) -> Stream {
    var tags: [(key: String, value: String)] = []
    if let language = track.facts.language { tags.append(("language", language)) }
    var stream = Muxer.Stream(
      source: track.stream, tick: tick,
      extradata: track.isReframed ? track.configuration : nil, tags: tags,
      frameRate: track.facts.video?.nominalFrameRate)
    stream.shape = track.shape
    stream.take(track)
    // QuickTime states the number of samples in an ADPCM block.
    if track.blockByteCount != nil, let first = track.coded.packets.first,
      let rate = track.facts.audio?.sampleRate
    {
      let length = try? track.coded.grid.duration(ofTicks: first.duration)
      let samples = try? length?.seconds.multiplied(by: Rational(Int64(rate))).rounded(.nearest)
      stream.frameSize = samples.map { Int(clamping: $0) }
      stream.frameByteCount = first.byteCount
    }
    return Stream(stream: stream, needed: neededPackets(of: track.facts.codec))
  }

  /// AC-3 is described by its packet headers, others by a configuration; a palette is written
  /// with a packet.
  private static func neededPackets(of codec: Codec) -> Int {
    codec.isOne(of: .ac3, .eac3) ? 4 : Muxer.paletted.contains(codec) ? 1 : 0
  }
}

extension Muxer.Stream {
  /// Takes over what describes a track that the demuxer does not know.
  mutating func take(_ track: SourceTrack) {
    isLent = track.isLent || track.parameters != nil
    parameters = track.parameters
  }
}
