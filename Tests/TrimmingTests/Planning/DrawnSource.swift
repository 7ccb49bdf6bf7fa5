import ExactTime
import MediaFacts
import Support
import Trimming

/// The facts of a source with drawn pictures: 25 frames a second, and AAC sound.
struct DrawnSource: CustomStringConvertible {
  var clip: DrawnClip
  var facts: SourceFacts

  var description: String { "\(clip)" }

  init(_ clip: DrawnClip, codec: Codec = "h264", isISO: Bool = true) {
    self.clip = clip
    // A frame of 40 ms.
    let video = Self.track(0, .video, codec, ticks: 25, clip.packets)
    let packets = (clip.packets.count * 48_000 / 25 + 1023) / 1024
    let sound = Self.track(
      1, .audio, "aac", ticks: 48_000,
      ContiguousArray(
        (0..<packets).map {
          CodedPacket(
            pts: Int64($0) * 1024, dts: Int64($0) * 1024, duration: 1024, byteCount: 200,
            isKey: true)
        }))
    let identity = SourceIdentity(
      byteCount: Int64(clip.packets.count), head: .max, times: UInt64(clip.packets.count))
    facts = SourceFacts(
      identity: identity, format: isISO ? "mov" : "matroska", isISO: isISO, isQuickTime: false,
      tracks: [video, sound])
    for index in facts.tracks.indices {
      facts.learned[index, default: .init()].isEncodable = true
      facts.learned[index, default: .init()].isDecodable = true
      facts.learned[index, default: .init()].holders = Set(OutputContainer.allCases)
      facts.learned[index, default: .init()].packetLengths = []
    }
    for place in clip.packets.indices where clip.packets[place].isKey {
      facts.learned[0, default: .init()].access[place] = clip.access(place)
    }
    for container in OutputContainer.allCases {
      let codec = container.rules.audio.codec
      facts.soundEncoders[codec] = !["dts", "amr_nb"].contains(codec)
    }
  }

  private static func track(
    _ index: Int, _ kind: TrackKind, _ codec: Codec, ticks: Int64,
    _ packets: ContiguousArray<CodedPacket>
  ) -> SourceFacts.Track {
    var track = SourceFacts.Track(
      id: index + 1, kind: kind, codec: codec, isPresented: true,
      coded: CodedTrack(
        index: index, kind: kind, codec: codec, grid: TickGrid(ticksPerSecond: ticks),
        origin: .zero, visible: Int64.min / 4..<Int64.max / 4, packets: packets))
    track.frameRate = kind == .video ? Rational(25) : nil
    track.sampleRate = kind == .audio ? 48_000 : nil
    return track
  }

  /// The same, without facts that require a read or a library.
  var ignorant: SourceFacts {
    var facts = facts
    facts.soundEncoders = [:]
    facts.learned = [:]
    return facts
  }
}
