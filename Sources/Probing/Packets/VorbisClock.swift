#if FFmpeg
  import Bitstreams
  import Libav
  /// The times of Vorbis in Ogg, up to where a chain's next link begins.
  ///
  /// A page's position says where its last packet ends (RFC 3533, 6; Vorbis I, A.2), and FFmpeg counts
  /// back from there. Where a page begins it does not know the block before, and so how long the first
  /// packet is (4.3.8): that then comes too late by what it lacks. Where all sound is on one page it
  /// lets the first packet be heard, which primes the overlap alone, and all come too late by it.
  struct VorbisClock {
    private let stream: Int
    /// Where the last page's position lies.
    private let end: Int64
    private var blocks: VorbisBlocks
    private var place = Place.first

    private enum Place {
      case first
      /// On the only page, where the next packet begins.
      case onlyPage(next: Int64)
      /// Where the packet before ends, as far as that is known.
      case pages(previousEnd: Int64?)
    }

    /// `nil` for other formats.
    init?(_ demuxer: borrowing Demuxer) {
      guard demuxer.formatName == "ogg",
        let track = demuxer.tracks.first(where: { $0.codec == "vorbis" }),
        let start = track.startTick, let length = track.durationTicks
      else { return nil }
      let (end, overflow) = start.addingReportingOverflow(length)
      guard !overflow, end.magnitude < 1 << 62 else { return nil }
      stream = track.index
      self.end = end
      blocks = VorbisBlocks(configuration: track.extradata)
    }

    /// - Returns: false where the rest is to stay as it is.
    mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) -> Bool {
      guard packet.stream == stream, packet.byteCount > 0 else { return true }
      // A header begins the next link.
      guard let count = blocks.samples(demuxer.withPacketBytes { $0.first }).map({ Int64($0) })
      else { return false }
      switch place {
      case .first:
        // None is longer than 4096 samples (4.2.2).
        let isShown = packet.pts.map { (0..<1 << 62).contains($0) } ?? false
        guard isShown, let pts = packet.pts, (1...4096).contains(packet.duration) else {
          place = .pages(previousEnd: nil)
          return true
        }
        packet.pts = pts - packet.duration
        place = .onlyPage(next: pts)
      case .onlyPage(let start):
        packet.pts = start
        packet.duration = min(count, end - start)
        place = .onlyPage(next: start + count)
      case .pages(let previousEnd):
        guard let pts = packet.pts, pts.magnitude < 1 << 62 else { return false }
        let lack = count - packet.duration
        // The very last may end within itself.
        let isLast = pts + packet.duration >= end
        let isWhole = !(1...4096).contains(lack) || isLast && previousEnd.map { $0 + lack } != pts
        if isWhole {
          place = .pages(previousEnd: pts + min(4096, max(0, packet.duration)))
          return true
        }
        packet.pts = pts - lack
        packet.duration = count
        place = .pages(previousEnd: pts - lack + count)
      }
      packet.dts = packet.pts
      demuxer.retime(packet)
      return true
    }
  }
#endif
