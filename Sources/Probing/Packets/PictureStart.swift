import Bitstreams
package import Libav
package import MediaFacts

/// Finds the frames at the start of a stream that no decoder shows: those before the first random
/// access point, and leading pictures that refer to earlier ones.
package struct PictureStart {
  /// Streams whose first keyframe was seen.
  private var started = StreamSet()
  /// When the first keyframe of a stream is shown, as long as leading pictures may follow.
  private var firstKeys = PerStream<Key>()
  /// How many frames precede the first keyframe, by stream.
  package private(set) var lostFrames = PerStream<Int>()
  /// The PTS of the first frame shown after lost ones, for streams that begin with lost frames.
  package private(set) var firstShown = PerStream<Int64>()
  /// Streams that begin with lost frames and whose first keyframe has no PTS.
  private var untimedStarts = StreamSet()

  private struct Key {
    var pts: Int64?
    /// Its position among the pictures, where a PTS may be missing.
    var order: Int64?
  }

  package init() {}

  /// Whether a frame is a leading picture of the first keyframe that no decoder shows and that
  /// can be dropped; must be called for every frame.
  package mutating func isSkipped(
    _ packet: PacketFacts, order: Int64? = nil, _ track: LibavTrack, _ demuxer: borrowing Demuxer
  ) -> Bool {
    let hasStarted = started.contains(packet.stream)
    guard isHidden(packet, order: order, track, demuxer), hasStarted else { return false }
    guard track.codec == .h264 else { return true }
    // Without a reference picture, later frame numbers have a gap (ITU-T H.264, 7.4.3).
    let framing = Framing(codec: track.codec, configuration: track.extradata)
    return demuxer.withPacketBytes { bytes in
      NALUnits(bytes: Array(bytes)[...], framing: framing).allSatisfy { unit in
        guard let first = unit.first, (1...5).contains(first & 0x1F) else { return true }
        return first >> 5 & 3 == 0
      }
    }
  }

  /// Whether the next frame of a stream may be one that no decoder shows.
  package func mayHide(_ stream: Int) -> Bool {
    !started.contains(stream) || firstKeys[stream] != nil
  }

  /// Whether undecodable frames may precede the first one shown, and ``firstShown`` does not
  /// state its time.
  ///
  /// - Parameter timesAreMade: the container has no PTS, so times made from counting include
  ///   undecodable frames.
  package func hasUncertainStart(_ stream: Int, timesAreMade: Bool) -> Bool {
    untimedStarts.contains(stream) || timesAreMade && lostFrames[stream] != nil
  }

  /// Whether none of the frames of a stream is a keyframe.
  package func isLost(_ stream: Int) -> Bool {
    !started.contains(stream) && lostFrames[stream] != nil
  }

  /// - Parameter order: the position of the frame among those of its stream, where known.
  package mutating func isHidden(
    _ packet: PacketFacts, order: Int64? = nil, _ track: LibavTrack, _ demuxer: borrowing Demuxer
  ) -> Bool {
    if started.contains(packet.stream) { return isLost(packet, order, track, demuxer) }
    guard canStart(packet, track, demuxer) else {
      lostFrames[packet.stream, default: 0] += 1
      return true
    }
    started.insert(packet.stream)
    if lostFrames[packet.stream] != nil { firstShown[packet.stream] = packet.pts }
    if isLed(track, demuxer) {
      firstKeys[packet.stream] = Key(pts: packet.pts, order: order)
    }
    if packet.pts == nil, lostFrames[packet.stream] != nil || firstKeys[packet.stream] != nil {
      untimedStarts.insert(packet.stream)
    }
    return false
  }

  /// Whether leading pictures of the first keyframe are lost, as in an open GOP.
  ///
  /// They may refer to earlier pictures. H.264 decoders show nothing before the recovery point in
  /// output order (ITU-T H.264, D.2.8); MPEG-2 and MPEG-4 decoders drop B pictures without a
  /// reference (ISO 13818-2, 6.3.8; FFmpeg's MPEG-4 decoder does so regardless of closed_gov, ISO
  /// 14496-2, 6.3.4).
  private func isLed(_ track: LibavTrack, _ demuxer: borrowing Demuxer) -> Bool {
    guard !track.isEncrypted else { return false }
    switch track.codec {
    case .hevc, .mpeg4: return true
    case .h264, .mpeg2Video, .mpeg1Video:
      return Self.access(track, demuxer) == .recoveryPoint
    default: return false
    }
  }

  /// Whether decoding can start here, by the container's flag or by the bitstream: either may be
  /// missing, and a frame that neither excludes counts as a starting point.
  private func canStart(
    _ packet: PacketFacts, _ track: LibavTrack, _ demuxer: borrowing Demuxer
  ) -> Bool {
    guard !track.isEncrypted else { return packet.isKey }
    if packet.isKey, !FirstKeyframe.exactCodecs.contains(track.codec) { return true }
    let access = Self.access(track, demuxer)
    // The rest of a picture whose header is missing at the start of the file (ISO 13818-2,
    // 6.2.3).
    if access == .unknown, track.codec.isMPEG12 { return false }
    return FirstKeyframe.canStart(
      access, isFlagged: packet.isKey, codec: track.codec)
  }

  /// Whether a frame is a leading picture of the first keyframe that refers to earlier pictures.
  private mutating func isLost(
    _ packet: PacketFacts, _ order: Int64?, _ track: LibavTrack, _ demuxer: borrowing Demuxer
  ) -> Bool {
    guard let key = firstKeys[packet.stream] else { return false }
    let showsItself = track.codec.isOne(of: .mpeg4, .mpeg2Video, .mpeg1Video)
    // Leading pictures directly follow their keyframe (ITU-T H.265, 7.4.2.2).
    let leads: Bool
    if let pts = packet.pts, let keyPTS = key.pts {
      leads = pts < keyPTS
    } else if let order, let keyOrder = key.order {
      leads = order < keyOrder
    } else {
      // Skipped HEVC pictures have no position, but are identified by their NAL unit type.
      leads = track.codec == .hevc && key.order != nil
    }
    guard showsItself || leads else {
      firstKeys[packet.stream] = nil
      return false
    }
    if track.codec == .h264 {
      firstShown[packet.stream] = key.pts
      return true
    }
    let start = demuxer.withPacketBytes { Array($0.prefix(256)) }
    let isSkipped = RandomAccess.isSkippedLeading(
      codec: track.codec, start[...],
      framing: Framing(codec: track.codec, configuration: track.extradata))
    if showsItself, !isSkipped { firstKeys[packet.stream] = nil }
    if !isSkipped, let pts = packet.pts, let shown = firstShown[packet.stream] {
      firstShown[packet.stream] = min(shown, pts)
    }
    return isSkipped
  }

  /// The random access kind of the packet that was read last.
  package static func access(
    _ track: LibavTrack, _ demuxer: borrowing Demuxer
  ) -> RandomAccessKind {
    guard !track.isEncrypted else { return .unknown }
    let framing = Framing(codec: track.codec, configuration: track.extradata)
    return demuxer.withPacketBytes { bytes in
      // Long user data may precede the picture itself.
      for limit in [4096, 65536] {
        let start = Array(bytes.prefix(limit))
        let access = RandomAccess.classify(codec: track.codec, start[...], framing: framing)
        if access != .unknown || bytes.count <= limit { return access }
      }
      return .unknown
    }
  }
}
