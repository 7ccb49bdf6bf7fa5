package import Bitstreams
package import Libav
import MediaFacts

/// Reads the timing that audio packets state, stream by stream.
package struct AudioPackets {
  private let rules: SourceRules
  /// Streams from which a packet was read, and Vorbis streams from which an audio packet was read.
  private var started = StreamSet()
  private var primed = StreamSet()
  private var links = PerStream<VorbisLink>()
  /// The durations of the latest Ogg packets.
  private var lengths = PerStream<Int64>()
  /// Streams whose latest packet is truncated.
  package private(set) var cutShort = PerStream<CutShortFrame>()

  /// A truncated frame.
  package struct CutShortFrame {
    package var byteOffset: Int64?
    package var byteCount: Int
  }

  /// The header of Musepack, with the frames that are left.
  private var musepack: MusepackHeader?

  package init(format: String, musepack: MusepackHeader? = nil) {
    rules = SourceRules(format)
    self.musepack = musepack
  }

  /// Completes the timing of a packet.
  ///
  /// - Returns: the rate of raw AAC, at the first packet of a stream for which FFmpeg does not
  ///   know it.
  package mutating func read(
    _ stamp: inout PacketStamp, _ packet: PacketFacts, _ track: ScannedTrack,
    _ demuxer: borrowing Demuxer
  ) -> Int? {
    guard !track.isEncrypted else { return nil }
    let isFirst = started.insert(packet.stream)
    cutShort[packet.stream] = nil
    forgetMissingEnd(&stamp, of: packet)
    if track.codec == .vorbis {
      readVorbis(&stamp, packet, track, demuxer)
    } else {
      readLength(&stamp, packet, track, demuxer, isFirst: isFirst)
    }
    var rate: Int?
    // FFmpeg knows the rate of raw AAC only from its decoder.
    if isFirst, track.facts.sampleRate == nil, track.codec == .aac, rules.isBareSound {
      rate = demuxer.withPacketBytes { ADTSHeader(Array($0.prefix(16)))?.sampleRate }
      if let rate {
        stamp.startsClock = true
        stamp.clockRate = Int64(rate)
      }
    }
    if isFirst, track.codec == .aac, stamp.skippedAtStart == 0 {
      stamp.skippedAtStart = demuxer.withPacketBytes {
        AACPriming.samples(inFirstPacket: Array($0.prefix(64))[...])
      }
    }
    // The first frame only primes the overlap, and decoders drop it; in Microsoft's files, whose
    // packets share frames, times refer to what follows it.
    if isFirst, let frame = track.windowsMediaFrame, !rules.isASF || !track.sharesFrames {
      stamp.skippedAtStart = frame
    }
    // FFmpeg leaves Opus pre-skip (RFC 7845, 5.1) to its decoder; Matroska without a codec delay
    // states it nowhere else.
    if isFirst, track.codec == .opus, stamp.skippedAtStart == 0, !rules.isOgg {
      let head = AudioHeader(codec: .opus, configuration: track.facts.extradata)
      stamp.skippedAtStart = max(track.facts.initialPadding, head?.preSkip ?? 0)
    }
    return rate
  }

  /// Removes a missing end: a position of -1 means that no packet ends on the page (RFC 3533, 6);
  /// where one does, the position does not state the end of the audio and trims nothing.
  ///
  /// FFmpeg still uses it: the last packet then ends one tick before zero, with its duration in
  /// unsigned 32 bits.
  private mutating func forgetMissingEnd(_ stamp: inout PacketStamp, of packet: PacketFacts) {
    guard rules.isOgg else { return }
    let kept = Int64(Int32(truncatingIfNeeded: packet.duration))
    if let pts = packet.pts, kept < 0, pts.addingReportingOverflow(kept) == (-1, false) {
      stamp.duration = lengths[packet.stream] ?? 0
      stamp.skippedAtEnd = 0
    } else {
      lengths[packet.stream] = packet.duration
    }
  }

  private mutating func readLength(
    _ stamp: inout PacketStamp, _ packet: PacketFacts, _ track: ScannedTrack,
    _ demuxer: borrowing Demuxer, isFirst: Bool
  ) {
    let length = demuxer.withPacketBytes {
      AudioFrameLength.samples(codec: track.codec, bytes: $0, frameSize: track.frameSize)
    }
    if stamp.isCorrupt, rules.marksShortSound {
      readShort(&stamp, packet, track.codec, length)
      if stamp.isSilent { return }
    }
    switch length {
    case .samples(let count):
      stamp.sampleCount = count
      readRate(&stamp, track, demuxer)
      // FFmpeg counts only the first frame of a packet.
      if track.codec == .eac3 { stamp.duration = 0 }
      // All of it is dropped: the previous packet is the last audible one.
      if stamp.skippedAtEnd >= count, count > 0 { stamp.isSilent = true }
    case .nothing: stamp.isSilent = true
    case .cutShort:
      stamp.isSilent = true
      cutShort[packet.stream] = CutShortFrame(
        byteOffset: packet.byteOffset, byteCount: packet.byteCount)
    case .unknown:
      stamp.sampleCount =
        samples(ofMusepack: packet, track) ?? samples(ofUncompressed: packet, track)
        ?? windowsMediaSamples(track, demuxer, isFirst: isFirst)
      // Its ticks are samples, and not all of the packet is heard.
      if rules.isOgg, stamp.sampleCount == nil, stamp.skippedAtEnd > 0 {
        stamp.sampleCount = Int(exactly: packet.duration)
      }
    }
  }

  /// Reads the sample count and rate of a frame without a container from its own header, because
  /// not every stream keeps one rate.
  private func readRate(
    _ stamp: inout PacketStamp, _ track: ScannedTrack, _ demuxer: borrowing Demuxer
  ) {
    guard rules.isBareSound, let rate = track.facts.sampleRate, rate > 0,
      let own = demuxer.withPacketBytes({
        AudioFrameLength.atOwnRate(
          codec: track.codec, bytes: $0, frameSize: track.frameSize, streamRate: rate)
      })
    else { return }
    stamp.sampleCount = own.samples
    stamp.ownRate = Int64(own.rate)
  }

  /// Handles a short read: a frame that states its size shows whether it is complete.
  ///
  /// FFmpeg reads many at once. Any other frame is truncated.
  private mutating func readShort(
    _ stamp: inout PacketStamp, _ packet: PacketFacts, _ codec: Codec,
    _ length: AudioFrameLength.Answer
  ) {
    stamp.isCorrupt = false
    if case .cutShort = length { return }
    if case .samples = length, AudioFrameLength.statesBytes(codec: codec) { return }
    stamp.isSilent = true
    cutShort[packet.stream] = CutShortFrame(
      byteOffset: packet.byteOffset, byteCount: packet.byteCount)
  }

  /// The sample count of a packet of Musepack SV8: only the file's header states how many frames the
  /// last one has.
  private mutating func samples(ofMusepack packet: PacketFacts, _ track: ScannedTrack) -> Int? {
    guard track.codec == .musepack8, let header = musepack else { return nil }
    let frames = min(header.frameCount, header.framesPerPacket)
    musepack?.frameCount -= frames
    return frames * MusepackHeader.frameLength
  }

  private func samples(ofUncompressed packet: PacketFacts, _ track: ScannedTrack) -> Int? {
    guard let size = track.sampleByteCount, track.codec.isDSD || packet.byteCount % size == 0 else {
      return nil
    }
    return packet.byteCount / size
  }

  /// The sample count of a packet of Windows Media Audio 1 and 2.
  private func windowsMediaSamples(
    _ track: ScannedTrack, _ demuxer: borrowing Demuxer, isFirst: Bool
  ) -> Int? {
    guard let frame = track.windowsMediaFrame else { return nil }
    guard track.sharesFrames else { return frame }
    guard rules.isASF, let first = demuxer.withPacketBytes({ $0.first }) else { return nil }
    return WindowsMediaAudio.frameCount(firstByte: first, isFirst: isFirst) * frame
  }

  // MARK: Vorbis

  /// One stream between two identification headers.
  private struct VorbisLink {
    var blocks: VorbisBlocks
    /// The PTS of its first audio packet, and the samples decoded from all packets so far.
    var start: Int64?
    var samples: Int64? = 0
  }

  private mutating func readVorbis(
    _ stamp: inout PacketStamp, _ packet: PacketFacts, _ track: ScannedTrack,
    _ demuxer: borrowing Demuxer
  ) {
    var link =
      links[packet.stream]
      ?? VorbisLink(blocks: VorbisBlocks(configuration: track.facts.extradata))
    defer { links[packet.stream] = link }
    // Vorbis I, 4.2.1: headers have the lowest bit set; 4.3.8: the first audio packet only
    // primes the overlap.
    let (type, rate) = demuxer.withPacketBytes { VorbisPacket.kind($0) }
    guard type & 1 == 0 else {
      stamp.isSilent = true
      stamp.startsClock = type == 1
      stamp.clockRate = rate
      primed.remove(packet.stream)
      let header = demuxer.withPacketBytes { Array($0) }
      link.blocks.read(header: header[...])
      (link.start, link.samples) = (nil, 0)
      return
    }
    // A page may end with an empty packet, and then states no position (RFC 3533, 6).
    if packet.byteCount == 0 {
      stamp.isSilent = true
      return
    }
    if packet.beginsLink {
      primed.remove(packet.stream)
      (link.start, link.samples) = (nil, 0)
    }
    let count = link.blocks.samples(type)
    if primed.insert(packet.stream) { stamp.isSilent = true }
    link.samples = link.samples.flatMap { sum in count.map { sum + Int64($0) } }
    guard rules.isOgg else {
      // Ticks are coarser than samples in other containers.
      stamp.sampleCount = count
      return
    }
    if !stamp.isSilent, link.start == nil {
      link.start = packet.pts
      // A first page whose position is less than what its packets decode to begins within them,
      // and nothing before zero is heard (Vorbis I, A.2).
      if let pts = packet.pts, pts < 0, pts > -1 << 31 { stamp.skippedAtStart = Int(-pts) }
    }
    let facts = track.facts
    let end = facts.startTick.map { $0.addingReportingOverflow(facts.durationTicks ?? 0) }
    // Its end was removed: its duration is what it decodes to.
    if stamp.duration != packet.duration {
      stamp.duration = count.map { Int64($0) } ?? stamp.duration
      return
    }
    stamp.duration = Self.duration(
      packet.duration, at: packet.pts, end: end.flatMap { $0.overflow ? nil : $0.partialValue },
      link)
  }

  /// The last packet's duration from the last page's position, which states where the audio ends
  /// (RFC 3533, 6; Vorbis I, A.2): it may trim what the packets decode to, but never extends it.
  ///
  /// FFmpeg stores the last duration, which can be negative, in unsigned 32 bits.
  private static func duration(
    _ stated: Int64, at pts: Int64?, end: Int64?, _ link: VorbisLink
  ) -> Int64 {
    let kept = Int64(Int32(truncatingIfNeeded: stated))
    guard let pts, let end else { return kept }
    let (exact, overflow) = end.subtractingReportingOverflow(pts)
    let isWrapped =
      !overflow && exact > Int64(Int32.max)
      && Int32(truncatingIfNeeded: exact) == Int32(truncatingIfNeeded: stated)
    guard isWrapped else { return kept }
    guard let start = link.start, let samples = link.samples else { return 0 }
    return max(0, start + samples - pts)
  }
}
