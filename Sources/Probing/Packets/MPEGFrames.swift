import Bitstreams
package import Libav
import MediaFacts

/// Trims MP3 packets where FFmpeg returns a frame together with preceding bytes, which its
/// decoder then mistakes for a frame.
package struct MPEGFrames {
  private let stream: Int
  private var isFirst = true
  /// The number, total size and first offset of stray byte ranges that are not tags.
  private var strangeCount = 0
  private var strangeBytes = 0
  private var strangePlace: Int64?

  /// `nil` for other formats.
  package init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.isMPEGAudio,
      let track = demuxer.tracks.first(where: { $0.codec.isOne(of: .mp1, .mp2, .mp3) })
    else { return nil }
    stream = track.index
  }

  /// Removes what precedes the frame in the packet that the demuxer read last.
  package mutating func trim(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard packet.stream == stream else { return }
    let wasFirst = isFirst
    isFirst = false
    let lead = demuxer.withPacketBytes { MPEGAudioHeader.lead(ofPacket: $0) }
    guard lead > 0 else { return }
    let isKnown = demuxer.withPacketBytes { Self.isTag(Array($0.prefix(lead))) }
    // A stream cut at an arbitrary point begins with the rest of a frame.
    if !isKnown, !wasFirst {
      strangeCount += 1
      strangeBytes += lead
      strangePlace = strangePlace ?? packet.byteOffset
    }
    demuxer.dropLead(lead, &packet)
  }

  /// Whether bytes are a tag, as concatenated files have in the middle.
  static func isTag(_ bytes: some Collection<UInt8>) -> Bool {
    ["ID3", "TAG", "APETAGEX", "LYRICSBEGIN"].contains { bytes.starts(with: $0.utf8) }
      || bytes.allSatisfy { $0 == 0 }
  }

  /// The damage for bytes that belong to nothing.
  var damage: Damage? {
    guard strangeCount > 0 else { return nil }
    return Damage(
      .garbage, at: strangePlace, count: strangeCount,
      "\(strangeBytes) bytes between its frames are not part of any frame; the frames after them are "
        + "presented.")
  }
}
