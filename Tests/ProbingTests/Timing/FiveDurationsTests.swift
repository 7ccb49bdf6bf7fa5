import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// The five durations of a file, shown by files made so that they differ.
///
/// The terms are defined in Documentation/Glossary.md.
@Suite struct `Given the five durations of a file` {
  @Suite struct `When its edit list shows nothing for two seconds` {
    let durations: Durations
    let notes: [Note.ID]

    init() throws {
      let facts = try SampleClip.probe("late-start.mp4")
      durations = facts.durations
      notes = facts.notes.map(\.id)
    }

    @Test func `then declared counts the silence before the file`() {
      #expect(durations.declared?.length == MediaDuration(4))
      #expect(durations.declared?.source == .containerHeader)
    }

    @Test func `then track and indexed are only the media`() {
      #expect(durations.track?.length == MediaDuration(2))
      #expect(durations.indexed?.length == MediaDuration(2))
      #expect(durations.indexed?.source == .sampleTable)
    }

    @Test func `then presented is what is shown, and states when it starts`() {
      #expect(durations.presented?.length == MediaDuration(2))
      #expect(durations.presented?.start == MediaTime(2))
    }

    @Test func `then decoded is known only when a decode was requested`() throws {
      #expect(durations.decoded == nil)
      let deep = try SampleClip.probe("late-start.mp4", .frames)
      #expect(deep.durations.decoded?.length == MediaDuration(2))
      #expect(deep.durations.decoded?.source == .frames)
    }

    @Test func `then the disagreement is a note`() {
      #expect(notes.contains(.editListStartOffset))
      #expect(notes.contains(.declaredTooLong))
    }
  }

  @Suite struct `When its audio has priming and padding` {
    @Test func `then indexed counts them and presented does not`() throws {
      let facts = try SampleClip.probe("b-frames.mp4")
      let sound = try #require(facts.tracks.first { $0.kind == .audio })
      #expect(sound.audio?.priming == 1024)
      let hidden = MediaDuration(1024, 44100)
      #expect(sound.durations.indexed?.length == MediaDuration(4) + hidden)
      #expect(sound.durations.presented?.length == MediaDuration(4))
    }

    @Test func `then decoded may be longer than presented, by less than a packet`() throws {
      let facts = try SampleClip.probe("b-frames.mp4", .frames)
      let sound = try #require(facts.tracks.first { $0.kind == .audio })
      let decoded = try #require(sound.durations.decoded?.length)
      let presented = try #require(sound.durations.presented?.length)
      #expect(decoded >= presented)
      #expect(decoded - presented < MediaDuration(1024, 44100))
    }
  }

  @Suite struct `When its container counts milliseconds` {
    // 312 samples at 48 kHz are 6.5 ms, which Matroska cannot state.
    @Test func `then priming ends exactly where the file begins`() throws {
      let facts = try SampleClip.probe("live.webm")
      let sound = try #require(facts.tracks.first { $0.kind == .audio })
      #expect(sound.audio?.priming == 312)
      #expect(sound.durations.presented?.start == .zero)
      #expect(sound.durations.presented?.length == MediaDuration(3))
    }
  }

  @Suite struct `When the container declares nothing` {
    @Test(arguments: ["live.webm", "broadcast.ts"])
    func `then declared is unknown, and the packets are counted`(_ name: String) throws {
      let facts = try SampleClip.probe(name)
      #expect(facts.durations.declared == nil)
      #expect(facts.durations.presented?.source == .packets)
      #expect(facts.notes.contains { $0.id == .declaredMissing })
    }

    @Test func `then a header probe leaves presented unknown rather than guess`() throws {
      #expect(try SampleClip.probe("live.webm", .header).durations.presented == nil)
    }
  }

  @Suite struct `When the declared length is an estimate from the bit rate` {
    @Test func `then it is reported as an estimate`() throws {
      let facts = try SampleClip.probe("vbr.mp3")
      #expect(facts.durations.declared?.source == .estimate)
      #expect(facts.durations.presented?.source == .packets)
      // The track's is the same estimate.
      #expect(facts.notes.count { $0.id == .declaredEstimated } == 1)
    }
  }

  @Suite struct `When the file ends before its container states` {
    @Test func `then presented stops at the last whole sample, and the damage has its byte`() throws
    {
      let facts = try SampleClip.probe("truncated.mp4")
      let presented = try #require(facts.durations.presented?.length)
      #expect(presented < MediaDuration(4))
      #expect(facts.durations.declared?.length == MediaDuration(4))
      let cut = try #require(facts.damage.first { $0.kind == .truncated })
      #expect(cut.byteOffset == facts.byteCount)
    }
  }

  @Suite struct `When the video ends before the audio` {
    @Test func `then presented is the union of both, and ends with the audio`() throws {
      let facts = try SampleClip.probe("sound-over-limit.mp4")
      let sound = try #require(facts.tracks.first { $0.kind == .audio })
      #expect(facts.durations.presented?.trackID == sound.id)
      #expect(facts.durations.presented?.length == MediaDuration(6051, 100))
    }
  }

  @Test(
    arguments: [
      ("under-limit.mp4", MediaDuration(604, 10)), ("at-limit.mp4", MediaDuration(605, 10)),
      ("over-limit.mp4", MediaDuration(606, 10)),
    ] as [(String, MediaDuration)])
  func `then presented is exact to the tick`(_ name: String, _ length: MediaDuration) throws {
    #expect(try SampleClip.probe(name).durations.presented?.length == length)
  }
}

/// A file of the samples folder.
enum SampleClip {
  static func probe(_ name: String, _ depth: RequestedDepth = .auto) throws -> MediaFacts {
    let path = SampleClips.path(name)
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }
}
