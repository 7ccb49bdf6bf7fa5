import MediaFacts
import Testing

@Suite struct `Given samples before the first presented one` {
  @Test(arguments: [
    ("aac", 1024, true), ("aac", 2112, true), ("aac", 48512, false), ("aac", 1296, false),
    ("mp3", 1105, true), ("mp3", 4000, false), ("opus", 312, true), ("opus", 4152, false),
    ("aac", 0, false),
  ])
  func `then they are priming if an encoder writes that many, else a hidden lead`(
    _ codec: Codec, _ count: Int, _ isPriming: Bool
  ) {
    var track = TrackFacts(id: 1, index: 0, kind: .audio, codec: codec)
    track.audio = AudioFacts(sampleRate: 48000)
    track.audio?.priming = count
    #expect(track.isPrimedByEncoder == isPriming)
  }
}
