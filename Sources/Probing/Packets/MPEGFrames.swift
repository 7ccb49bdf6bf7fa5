#if FFmpeg
  import Bitstreams
  package import Libav
  import MediaFacts

  /// The frames of an MP3, where FFmpeg hands one out with the bytes before it, which its decoder then
  /// takes for a frame that is none.
  package struct MPEGFrames {
    private let stream: Int
    private var isFirst = true
    /// Stretches that are no tags, and where the first of them begins.
    private var strangeCount = 0
    private var strangeBytes = 0
    private var strangePlace: Int64?

    /// `nil` for other formats.
    package init?(_ demuxer: borrowing Demuxer) {
      guard demuxer.formatName == "mp3",
        let track = demuxer.tracks.first(where: { ["mp1", "mp2", "mp3"].contains($0.codec) })
      else { return nil }
      stream = track.index
    }

    /// Takes away what stands before the frame of the packet that the demuxer read last.
    package mutating func trim(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
      guard packet.stream == stream else { return }
      let wasFirst = isFirst
      isFirst = false
      let lead = demuxer.withPacketBytes { MPEGAudioHeader.lead(ofPacket: $0) }
      guard lead > 0 else { return }
      let isKnown = demuxer.withPacketBytes { Self.isTag(Array($0.prefix(lead))) }
      // A stream that was cut anywhere begins with the rest of a frame.
      if !isKnown, !wasFirst {
        strangeCount += 1
        strangeBytes += lead
        strangePlace = strangePlace ?? packet.byteOffset
      }
      demuxer.dropLead(lead, &packet)
    }

    /// Files that were put end to end have tags in the middle.
    static func isTag(_ bytes: some Collection<UInt8>) -> Bool {
      ["ID3", "TAG", "APETAGEX", "LYRICSBEGIN"].contains { bytes.starts(with: $0.utf8) }
        || bytes.allSatisfy { $0 == 0 }
    }

    /// What belongs to nothing.
    var damage: Damage? {
      guard strangeCount > 0 else { return nil }
      return Damage(
        .garbage, at: strangePlace, count: strangeCount,
        "\(strangeBytes) bytes between its frames belong to nothing; the frames behind them are "
          + "presented.")
    }
  }
#endif
