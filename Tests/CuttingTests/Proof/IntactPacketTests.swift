import ExactTime
import MediaFacts
import Support
import Testing

@testable import Bitstreams
@testable import Cutting

/// Undamaged files must show no fault in any packet.
@Suite(.timeLimit(.minutes(1))) struct `Given files straight from encoders` {
  private static let clips =
    SampleClips.names.filter { !$0.contains("truncated") && !$0.contains("not-media") }
    .map(SampleClips.path)

  @Test func `then none of their packets shows a fault`() throws {
    var count = 0
    for path in Self.clips {
      guard let clip = try? FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      else { continue }
      let source = clip.source
      for (index, track) in source.tracks.enumerated()
      where [.video, .audio].contains(track.facts.kind) {
        try source.prepare([index: [track.coded.packets.indices]])
        var inspector = PacketInspector(
          codec: track.facts.codec, configuration: track.configuration, framing: track.framing)
        for place in track.coded.packets.indices {
          let fault = inspector.fault(in: try source.bytes(ofTrack: index, place))
          #expect(fault == nil, "\(path), track \(index), packet \(place)")
          count += 1
        }
      }
    }
    #expect(count > 3000)
  }
}
