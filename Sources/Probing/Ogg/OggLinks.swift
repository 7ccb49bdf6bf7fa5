import Libav
package import MediaFacts

/// The first packet of each later link of a chained Ogg stream.
///
/// The positions of a link count from zero again (RFC 3533, 4), and what primes the decoder is before
/// zero. FFmpeg 9 places this packet where the link before it ended, but those after it at the link's own
/// positions; earlier versions return the headers as packets first, by which the link is noticed, and then
/// place it before zero.
package struct OggLinks {
  private let stream: Int
  private let isOpus: Bool
  private var joints: ArraySlice<Int64>
  /// Where the latest packet ends.
  private var end: Int64?

  init?(_ demuxer: borrowing Demuxer, _ joints: [Int64]) {
    guard SourceRules(demuxer.formatName).isOgg, demuxer.tracks.count == 1,
      let track = demuxer.tracks.first
    else { return nil }
    self.init(stream: track.index, codec: track.codec, joints: joints)
  }

  /// - Parameter joints: the byte offsets at which the later links begin.
  package init?(stream: Int, codec: Codec, joints: [Int64]) {
    guard !joints.isEmpty, codec == .vorbis || codec == .opus else { return nil }
    (self.stream, isOpus, self.joints) = (stream, codec == .opus, joints[...])
  }

  /// - Returns: whether the packet was the first of a link and placed wrongly.
  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) -> Bool {
    guard packet.stream == stream,
      let time = time(
        at: packet.byteOffset, pts: packet.pts, duration: packet.duration,
        skipped: packet.skippedAtStart)
    else { return false }
    (packet.pts, packet.dts, packet.beginsLink) = (time, time, true)
    demuxer.retime(packet)
    return true
  }

  /// The PTS of the next packet in ticks, if FFmpeg's is not that of its link.
  ///
  /// - Parameters:
  ///   - offset: that of the packet's page, in bytes.
  ///   - pts: in ticks, as `duration`.
  ///   - skipped: the samples at its start that are not presented.
  package mutating func time(
    at offset: Int64?, pts: Int64?, duration: Int64, skipped: Int
  ) -> Int64? {
    let previous = end
    end = pts.flatMap { start in
      let (end, overflow) = start.addingReportingOverflow(duration)
      return overflow ? nil : end
    }
    guard let offset, let joint = joints.first, joint <= offset else { return nil }
    while let joint = joints.first, joint <= offset { joints.removeFirst() }
    // An Opus packet is preceded by the link's pre-skip (RFC 7845, 4.2); the first Vorbis packet only
    // primes the overlap (Vorbis I, 4.3.8).
    guard let pts, pts == previous, pts > 0 else { return nil }
    let lead = isOpus ? Int64(skipped) : duration
    guard (0...1 << 31).contains(lead) else { return nil }
    end = nil
    return -lead
  }
}
