import Libav
import MediaFacts

/// The times of the first page of Ogg FLAC, which FFmpeg counts from zero regardless of the
/// page's position (RFC 3533, 6).
struct OggStart {
  private let begin: OggChain.Begin
  private let stream: Int

  /// - Parameter begin: where the stream begins, if not at zero.
  init?(_ demuxer: borrowing Demuxer, _ begin: OggChain.Begin?) {
    guard let begin, demuxer.rules.isOgg, demuxer.tracks.count == 1,
      let track = demuxer.tracks.first, track.codec == .flac
    else { return nil }
    self.begin = begin
    stream = track.index
  }

  func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard packet.stream == stream, packet.byteOffset == begin.page, let pts = packet.pts,
      (0..<1 << 61).contains(pts), begin.position < 1 << 61
    else { return }
    packet.pts = pts + begin.position
    packet.dts = packet.pts
    demuxer.retime(packet)
  }
}
