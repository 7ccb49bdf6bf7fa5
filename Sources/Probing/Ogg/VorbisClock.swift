import Bitstreams
import Libav
import MediaFacts

/// Corrects the times of Vorbis in Ogg.
///
/// A page's position states where its last packet ends (RFC 3533, 6; Vorbis I, A.2), and FFmpeg
/// counts back from there. At the start of a page it does not know the previous block, and so not
/// the duration of the first packet (4.3.8), which is then too late by the missing part. Where
/// all audio is on one page, it presents the first packet, which only primes the overlap, and all
/// others are too late by it.
struct VorbisClock {
  private let stream: Int
  /// The position of the file's last page.
  private let end: Int64
  private var blocks: VorbisBlocks
  private var place = Place.first

  private enum Place {
    case first
    /// On the only page, at an offset: where the next packet begins, and how much too late it is
    /// in FFmpeg.
    case onlyPage(offset: Int64?, next: Int64, lateness: Int64)
    /// On later pages: where the previous packet ends, as far as known.
    case pages(previousEnd: Int64?)
  }

  /// `nil` for other formats.
  init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.isOgg,
      let track = demuxer.tracks.first(where: { $0.codec == .vorbis }),
      let start = track.startTick, let length = track.durationTicks
    else { return nil }
    let (end, overflow) = start.addingReportingOverflow(length)
    guard !overflow, end.magnitude < 1 << 62 else { return nil }
    stream = track.index
    self.end = end
    blocks = VorbisBlocks(configuration: track.extradata)
  }

  /// Another link begins, whose headers are not returned.
  mutating func beginLink() { place = .first }

  /// - Returns: false where the rest is to be left unchanged.
  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) -> Bool {
    guard packet.stream == stream, packet.byteCount > 0 else { return true }
    let type = demuxer.withPacketBytes { $0.first } ?? 1
    if type & 1 == 1 {
      // A header begins the next link.
      let header = demuxer.withPacketBytes { Array($0) }
      blocks.read(header: header[...])
      place = .first
      return true
    }
    guard let count = blocks.samples(type).map({ Int64($0) }),
      packet.pts.map({ $0.magnitude < 1 << 62 }) != false
    else { return false }
    if case .onlyPage(let offset, let next, _) = place, packet.byteOffset != offset {
      place = .pages(previousEnd: next)
    }
    switch place {
    case .first:
      // None is longer than 4096 samples (4.2.2).
      guard packet.pts == 0, (1...4096).contains(packet.duration) else {
        place = .pages(previousEnd: nil)
        return true
      }
      packet.pts = -packet.duration
      place = .onlyPage(offset: packet.byteOffset, next: 0, lateness: packet.duration)
    case .onlyPage(let offset, let start, let lateness):
      // The end of the last packet is the page's position; FFmpeg stores its duration in unsigned
      // 32 bits.
      let stated =
        (packet.pts ?? start + lateness)
        + Int64(Int32(truncatingIfNeeded: packet.duration))
      packet.pts = start
      // A position of -1 means none (RFC 3533, 6).
      packet.duration = stated == -1 ? count : min(count, stated - start)
      place = .onlyPage(offset: offset, next: start + count, lateness: lateness)
    case .pages(let previousEnd):
      guard let pts = packet.pts else { return false }
      let stated = Int64(Int32(truncatingIfNeeded: packet.duration))
      let lack = count - stated
      // The very last packet may be trimmed.
      let isLast = pts + stated >= end
      let isWhole =
        switch previousEnd {
        case let previous?: pts == previous || isLast && pts != previous + lack
        case nil: isLast
        }
      guard (1...4096).contains(lack), lack < count, !isWhole else {
        place = .pages(previousEnd: pts + min(4096, max(0, stated)))
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
