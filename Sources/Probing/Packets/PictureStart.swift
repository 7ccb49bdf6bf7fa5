#if FFmpeg
  import Bitstreams
  package import Libav
  package import MediaFacts
  /// Finds the frames at the start of a stream that no decoder shows: those before the first frame
  /// that decoding can start at, and those that lead it and refer to what came before.
  package struct PictureStart {
    /// Streams whose first keyframe was seen.
    private var started = StreamSet()
    /// Where the first keyframe of a stream is shown, as long as frames that lead it may follow.
    private var firstKeys = PerStream<Key>()
    /// How many frames stand before the first keyframe, by stream.
    package private(set) var lostFrames = PerStream<Int>()
    /// Where the first frame of a stream is shown that is not preceded by lost ones, for streams that
    /// begin with any.
    package private(set) var firstShown = PerStream<Int64>()
    /// Streams that begin with lost frames, and whose first keyframe has no time of its own.
    private var untimedStarts = StreamSet()

    private struct Key {
      var pts: Int64?
      /// Its place among the pictures, where a time may be missing.
      var order: Int64?
    }

    package init() {}

    /// Whether a frame leads the first keyframe, no decoder shows it, and it can be left out; give it
    /// every frame.
    package mutating func isSkipped(
      _ packet: PacketFacts, order: Int64? = nil, _ track: LibavTrack, _ demuxer: borrowing Demuxer
    ) -> Bool {
      let hasStarted = started.contains(packet.stream)
      guard isHidden(packet, order: order, track, demuxer), hasStarted else { return false }
      guard track.codec == "h264" else { return true }
      // Without a reference picture the numbers of those behind it have a gap (ITU-T H.264, 7.4.3).
      let framing = Framing(codec: track.codec, configuration: track.extradata)
      return demuxer.withPacketBytes { bytes in
        NALUnits(bytes: Array(bytes)[...], framing: framing).allSatisfy { unit in
          guard let first = unit.first, (1...5).contains(first & 0x1F) else { return true }
          return first >> 5 & 3 == 0
        }
      }
    }

    /// Whether a frame of a stream can be one that no decoder shows.
    package func mayHide(_ stream: Int) -> Bool {
      !started.contains(stream) || firstKeys[stream] != nil
    }

    /// Whether undecodable frames may precede the first one shown, and ``firstShown`` does not state its time.
    ///
    /// - Parameter timesAreMade: the container has no PTS, so times made from counting include undecodable frames.
    package func hasUncertainStart(_ stream: Int, timesAreMade: Bool) -> Bool {
      untimedStarts.contains(stream) || timesAreMade && lostFrames[stream] != nil
    }

    /// Whether none of the frames of a stream is a keyframe.
    package func isLost(_ stream: Int) -> Bool {
      !started.contains(stream) && lostFrames[stream] != nil
    }

    /// - Parameter order: the place of the frame among those of its stream, where it is known.
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

    /// Whether frames that lead a first keyframe are lost: those of an open group.
    ///
    /// They may refer to what came before it. Decoders of H.264 show nothing before the recovery point in output order (ITU-T H.264,
    /// D.2.8), those of MPEG-2 and MPEG-4 leave out B pictures without a reference (ISO 13818-2, 6.3.8; FFmpeg's
    /// decoder of MPEG-4 does so whatever closed_gov says, ISO 14496-2, 6.3.4).
    private func isLed(_ track: LibavTrack, _ demuxer: borrowing Demuxer) -> Bool {
      guard !track.isEncrypted else { return false }
      switch track.codec {
      case "hevc", "mpeg4": return true
      case "h264", "mpeg2video", "mpeg1video":
        return Self.access(track, demuxer) == .recoveryPoint
      default: return false
      }
    }

    /// Whether decoding can start here, by the container's flag or by the bitstream: either may be
    /// silent, and what neither denies is taken for one.
    private func canStart(
      _ packet: PacketFacts, _ track: LibavTrack, _ demuxer: borrowing Demuxer
    ) -> Bool {
      guard !track.isEncrypted else { return packet.isKey }
      if packet.isKey, !FirstKeyframe.exactCodecs.contains(track.codec) { return true }
      let access = Self.access(track, demuxer)
      // The rest of a picture whose header stands before the beginning of the file (ISO 13818-2, 6.2.3).
      if access == .unknown, MPEGVideo.codecs.contains(track.codec) { return false }
      return FirstKeyframe.canStart(
        access, isFlagged: packet.isKey, codec: track.codec)
    }

    /// Whether a frame leads the first keyframe and refers to what came before that.
    private mutating func isLost(
      _ packet: PacketFacts, _ order: Int64?, _ track: LibavTrack, _ demuxer: borrowing Demuxer
    ) -> Bool {
      guard let key = firstKeys[packet.stream] else { return false }
      let tellsItself = ["mpeg4", "mpeg2video", "mpeg1video"].contains(track.codec)
      // Leading pictures directly follow their keyframe (ITU-T H.265, 7.4.2.2).
      let leads: Bool
      if let pts = packet.pts, let keyPTS = key.pts {
        leads = pts < keyPTS
      } else if let order, let keyOrder = key.order {
        leads = order < keyOrder
      } else {
        // Those of HEVC that are left out have no place, and tell themselves what they are.
        leads = track.codec == "hevc" && key.order != nil
      }
      guard tellsItself || leads else {
        firstKeys[packet.stream] = nil
        return false
      }
      if track.codec == "h264" {
        firstShown[packet.stream] = key.pts
        return true
      }
      let start = demuxer.withPacketBytes { Array($0.prefix(256)) }
      let isSkipped = RandomAccess.isSkippedLeading(
        codec: track.codec, start[...],
        framing: Framing(codec: track.codec, configuration: track.extradata))
      if tellsItself, !isSkipped { firstKeys[packet.stream] = nil }
      if !isSkipped, let pts = packet.pts, let shown = firstShown[packet.stream] {
        firstShown[packet.stream] = min(shown, pts)
      }
      return isSkipped
    }

    /// What a decoder can begin with at the packet that was read last.
    package static func access(
      _ track: LibavTrack, _ demuxer: borrowing Demuxer
    ) -> RandomAccessKind {
      guard !track.isEncrypted else { return .unknown }
      let framing = Framing(codec: track.codec, configuration: track.extradata)
      return demuxer.withPacketBytes { bytes in
        // Long user data may stand before the picture itself.
        for limit in [4096, 65536] {
          let start = Array(bytes.prefix(limit))
          let access = RandomAccess.classify(codec: track.codec, start[...], framing: framing)
          if access != .unknown || bytes.count <= limit { return access }
        }
        return .unknown
      }
    }
  }
#endif
