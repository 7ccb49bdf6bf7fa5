package import Bitstreams
package import ExactTime
package import ISOMedia
import MediaFacts

/// Reads the first bytes of single samples, for what the sample table does not state.
package struct ISOSampleReader<Bytes: RandomAccessBytes> {
  package let file: Bytes
  package let track: ISOTrack
  package let table: ISOSampleTable

  package init(file: Bytes, track: ISOTrack, table: ISOSampleTable) {
    self.file = file
    self.track = track
    self.table = table
  }

  /// Whether the first bytes of a sample are read at little cost.
  package func isAtHand(_ index: Int, atMost limit: Int = 4096) -> Bool {
    guard let offset = table.offset(index), index < table.sizes.count, offset >= 0 else {
      return true
    }
    let count = Int64(min(limit, table.byteCount(index)))
    let (end, overflows) = offset.addingReportingOverflow(count)
    return overflows || file.isAtHand(offset..<end)
  }

  /// The first bytes of a sample; `nil` when they are not in the file.
  package func bytes(ofSample index: Int, atMost limit: Int) -> [UInt8]? {
    guard let offset = table.offset(index), index < table.sizes.count else { return nil }
    let count = min(limit, table.byteCount(index))
    guard count > 0, let bytes = try? file.read(at: offset, count: count), bytes.count == count
    else { return nil }
    return bytes
  }
}

extension ISOSampleReader {
  private var entry: ISOSampleEntry? { track.firstEntry }

  package var framing: Framing { Framing(codec: codecName, configuration: configuration) }

  var codecName: Codec {
    entry.map { ISOCodecNames.name(for: $0, kind: track.handler) } ?? .unknown
  }

  var configuration: [UInt8] {
    entry?.configuration("avcC") ?? entry?.configuration("hvcC") ?? []
  }

  /// The keyframes inside the file, in decode order.
  package func keyframes(times: ISOMediaTimes, readsBitstream: Bool) -> [GOPSummary.Entry] {
    let codec = codecName
    let framing = framing
    let isReadable = readsBitstream && !track.isEncrypted
    func entry(_ position: Int, _ index: Int) -> GOPSummary.Entry {
      var access = RandomAccessKind.unknown
      if isReadable, isAtHand(index), let bytes = bytes(ofSample: index, atMost: 4096) {
        access = RandomAccess.classify(codec: codec, bytes[...], framing: framing)
        // Long user data may precede the picture itself.
        if access == .unknown, bytes.count == 4096, isAtHand(index, atMost: 65536),
          let more = self.bytes(ofSample: index, atMost: 65536)
        {
          access = RandomAccess.classify(codec: codec, more[...], framing: framing)
        }
      }
      return GOPSummary.Entry(
        decodeIndex: position, pts: times.pts[position], byteOffset: table.offset(index),
        access: access)
    }
    guard times.present == nil, let entries = table.entryIndices else {
      return (0..<times.sampleCount).compactMap { position in
        let index = times.present?[position] ?? position
        return table.isEntry(index) ? entry(position, index) : nil
      }
    }
    return entries.filter { $0 < times.sampleCount }.map { entry($0, $0) }
  }

  /// Whether keyframes were not classified because that costs requests.
  package func leavesUnread(_ keys: [GOPSummary.Entry]) -> Bool {
    guard !track.isEncrypted else { return false }
    return keys.contains { key in
      guard key.access == .unknown, let offset = key.byteOffset, offset >= 0 else { return false }
      let (end, overflows) = offset.addingReportingOverflow(4096)
      return !overflows && !file.isAtHand(offset..<end)
    }
  }

  /// How many frames precede, in decode order, the first at which decoding can start.
  package func firstShown(keys: [GOPSummary.Entry], times: ISOMediaTimes) -> Int {
    guard !track.isEncrypted else { return 0 }
    let codec = codecName
    let first = keys.first?.decodeIndex
    if first == 0, !FirstKeyframe.exactCodecs.contains(codec) { return 0 }
    // Beyond this depth a random access point is not searched for sample by sample.
    let depth = min(times.sampleCount, max(first.map { $0 + 1 } ?? 0, 3000))
    for position in 0..<depth {
      let index = times.present?[position] ?? position
      guard let start = bytes(ofSample: index, atMost: 4096) else { return 0 }
      let access = RandomAccess.classify(codec: codec, start[...], framing: framing)
      if FirstKeyframe.canStart(access, isFlagged: table.isEntry(index), codec: codec) {
        return position
      }
    }
    return depth < times.sampleCount ? 0 : times.sampleCount
  }

  /// How many samples the last audio packet decodes to, as it states, and at which sample rate;
  /// `nil` for codecs whose packets do not state it.
  package func lastSound(at index: Int) -> (samples: Int, rate: Int)? {
    guard AudioFrameLength.isStated(codec: codecName), index < table.sizes.count,
      let packet = bytes(ofSample: index, atMost: 1 << 16)
    else { return nil }
    return AudioFrameLength.stated(codec: codecName, packet)
  }

  /// Codecs for which no decoder shows a picture that lacks its reference.
  private static var leftOutCodecs: [Codec] { [.hevc, .mpeg4, .mpeg2Video, .mpeg1Video] }

  /// The PTS of the first frame that a decoder shows, where it drops earlier ones: leading pictures
  /// in HEVC, MPEG-2 and MPEG-4 that refer to pictures before the first keyframe.
  package func firstDecodable(after first: GOPSummary.Entry, times: ISOMediaTimes) -> Int64? {
    let codec = codecName
    guard Self.leftOutCodecs.contains(codec), !track.isEncrypted, times.sortedPTS[0] < first.pts
    else { return nil }
    if codec.isMPEG12 {
      let index = times.present?[first.decodeIndex] ?? first.decodeIndex
      guard let bytes = bytes(ofSample: index, atMost: 4096),
        RandomAccess.classify(codec: codec, bytes[...], framing: framing) == .recoveryPoint
      else { return nil }
    }
    var earliest = first.pts
    var position = first.decodeIndex + 1
    // Leading pictures directly follow their keyframe (ITU-T H.265, 7.4.2.2).
    while position < times.sampleCount, times.pts[position] < first.pts {
      let index = times.present?[position] ?? position
      if let bytes = bytes(ofSample: index, atMost: 256),
        !RandomAccess.isSkippedLeading(codec: codec, bytes[...], framing: framing)
      {
        earliest = min(earliest, times.pts[position])
        // After another reference picture none is dropped (ISO 13818-2, 6.3.8).
        if codec != .hevc { break }
      }
      position += 1
    }
    return earliest
  }

  /// Samples that a decoder drops at the very start, according to the bitstream: Opus pre-skip, the
  /// first frame of libfaac, or the first packet of Vorbis, which only primes the overlap (Vorbis
  /// I, 4.3.8).
  package func codecPriming(_ grid: TickGrid, sampleRate: Int) -> Int {
    guard let entry, !track.isEncrypted else { return 0 }
    if codecName == .vorbis, table.count > 1 {
      let length = try? grid.duration(ofTicks: table.sample(0).duration)
      let samples = length.flatMap {
        try? TickGrid(ticksPerSecond: Int64(sampleRate)).ticks(of: $0, rounding: .nearest)
      }
      return samples.flatMap { Int(exactly: $0) } ?? 0
    }
    if let opus = entry.configuration("dOps") {
      return AudioHeader(codec: .opus, configuration: opus)?.preSkip ?? 0
    }
    // The only encoder that states it there is older than fragments.
    guard codecName == .aac, track.unread == nil && track.assumed == nil || isAtHand(0),
      let first = bytes(ofSample: 0, atMost: 64)
    else { return 0 }
    return AACPriming.samples(inFirstPacket: first[...])
  }
}

extension ISOSampleReader {
  /// The tick of the first frame that is shown, where some before it cannot be shown; `nil` where
  /// all frames can be shown, or none.
  package func firstShownTick(_ times: ISOMediaTimes) -> Int64? {
    let keys = keyframes(times: times, readsBitstream: false)
    let start = firstShown(keys: keys, times: times)
    if start > 0 { return start < times.sampleCount ? times.pts[start] : nil }
    return keys.first.flatMap { firstDecodable(after: $0, times: times) }
  }
}
