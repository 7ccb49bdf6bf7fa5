import ExactTime
import MediaFacts
import Testing

@Suite struct `Given a keyframe` {
  @Test(arguments: RandomAccessKind.allCases)
  func `then it is clean when a decoder can start there and it has no leading pictures`(
    _ access: RandomAccessKind
  ) {
    let alone = KeyframeFacts(frame: 0, time: .zero, access: access)
    #expect(alone.isClean == (access != .flaggedOnly))
    let led = KeyframeFacts(frame: 3, time: .zero, access: access, leadingFrames: 3)
    #expect(!led.isClean)
  }
}

@Suite struct `Given a presented range` {
  @Test func `then its end is its start and its length`() {
    let fact = DurationFact(
      length: MediaDuration(60), start: MediaTime(7, 5), source: .packets)
    #expect(fact.end == MediaTime(307, 5))
  }

  @Test func `then a length without a start has no end`() {
    #expect(DurationFact(length: MediaDuration(60), source: .containerHeader).end == nil)
  }

  @Test func `then an end outside 64 bits is unknown and does not trap`() {
    let fact = DurationFact(
      length: MediaDuration(1), start: MediaTime(.max), source: .sampleTable)
    #expect(fact.end == nil)
  }
}

@Suite struct `Given the tracks of a file` {
  @Test(arguments: TrackKind.allCases)
  func `then audio and video determine the presented range`(_ kind: TrackKind) {
    let track = TrackFacts(id: 1, index: 0, kind: kind, codec: "any")
    #expect(track.isPresented == (kind == .video || kind == .audio))
  }

  @Test func `then cover art does not`() {
    var cover = TrackFacts(id: 2, index: 1, kind: .video, codec: "mjpeg")
    cover.dispositions = ["attached_pic"]
    #expect(cover.isCoverArt)
    #expect(!cover.isPresented)
  }
}

@Suite struct `Given the five durations` {
  @Test(arguments: DurationKind.allCases)
  func `then each is stored separately`(_ kind: DurationKind) {
    var durations = Durations()
    durations[kind] = DurationFact(length: MediaDuration(1), source: .estimate)
    for other in DurationKind.allCases {
      #expect((durations[other] != nil) == (other == kind))
    }
  }

  @Test func `then depth increases from header to packets to frames`() {
    #expect(ProbeDepth.allCases.sorted() == [.header, .packets, .frames])
  }
}
