#if FFmpeg
  import Bitstreams
  import Libav
  /// The times of Vorbis in Ogg whose sound is all on one page.
  ///
  /// The page's position says where the sound ends (RFC 3533, 6; Vorbis I, A.2), and FFmpeg counts
  /// back from there only where another page follows: here it lets the first packet be heard, which
  /// primes the overlap alone (4.3.8), and everything comes too late by it.
  struct VorbisClock {
    private let stream: Int
    /// Where the page's position lies.
    private let end: Int64
    private var blocks: VorbisBlocks
    /// Where the next packet begins, once the first was seen.
    private var next: Int64?

    /// `nil` for other formats.
    init?(_ demuxer: borrowing Demuxer) {
      guard demuxer.formatName == "ogg",
        let track = demuxer.tracks.first(where: { $0.codec == "vorbis" }),
        let start = track.startTick, let length = track.durationTicks
      else { return nil }
      let (end, overflow) = start.addingReportingOverflow(length)
      guard !overflow else { return nil }
      stream = track.index
      self.end = end
      blocks = VorbisBlocks(configuration: track.extradata)
    }

    /// - Returns: false where nothing is left to set right.
    mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) -> Bool {
      guard packet.stream == stream, packet.byteCount > 0 else { return true }
      // A header begins the next link of a chain.
      guard let count = blocks.samples(demuxer.withPacketBytes { $0.first }) else { return false }
      if let start = next {
        packet.pts = start
        packet.duration = min(Int64(count), end - start)
        next = start + Int64(count)
      } else {
        // None is longer than 4096 samples (4.2.2).
        guard let pts = packet.pts, pts >= 0, (1...4096).contains(packet.duration),
          pts < Int64.max / 2
        else { return false }
        packet.pts = pts - packet.duration
        next = pts
      }
      packet.dts = packet.pts
      demuxer.retime(packet)
      return true
    }
  }
#endif
