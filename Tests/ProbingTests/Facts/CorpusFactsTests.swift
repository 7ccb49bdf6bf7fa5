import MediaFacts
import Probing
import Support
import Testing

extension CorpusStreams: CustomTestStringConvertible {
  var testDescription: String { path }
}

@Suite(
  .enabled(if: Corpus.shared != nil, "\(Corpus.absence)"), .timeLimit(.minutes(5)))
struct `Given real files and what ffprobe reports of their streams` {
  @Test(arguments: CorpusStreams.all)
  func `then the facts are the same, or the reason is known`(_ clip: CorpusStreams) throws {
    let path = try #require(Corpus.shared).folder + "/" + clip.path
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsKeyframes: true))
    var differences: [FactDifference: String] = [:]
    if facts.tracks.count != clip.streams.count {
      differences[.streams] = "\(facts.tracks.count), ffprobe \(clip.streams.count)"
    }
    for (track, stream) in zip(facts.tracks, clip.streams) {
      Self.compare(track, stream) { differences[$0] = "track \(track.id): \($1)" }
    }
    let judgement = FactDifference.judged[clip.path]
    #expect(
      Set(differences.keys) == judgement?.facts ?? [],
      "\(differences.map { "\($0) \($1)" }.sorted()) \(judgement?.reason ?? "")")
  }

  private static func compare(
    _ track: TrackFacts, _ stream: CorpusStreams.Stream, _ note: (FactDifference, String) -> Void
  ) {
    func expect<Value: Equatable>(_ fact: FactDifference, _ ours: Value, _ theirs: Value) {
      if ours != theirs { note(fact, "\(ours), ffprobe \(theirs)") }
    }
    guard track.kind == .video || track.kind == .audio else { return }
    expect(.codec, track.codec.rawValue, stream.codec ?? "")
    expect(.profile, track.profile, stream.profile)
    expect(.packets, track.sampleCount, stream.packets)
    if let audio = track.audio {
      // ffprobe writes 0 where the value is unknown.
      expect(.sampleRate, audio.sampleRate ?? 0, stream.sampleRate ?? 0)
      expect(.channels, audio.channels ?? 0, stream.channels ?? 0)
    }
    if let video = track.video {
      expect(.size, [video.width, video.height], [stream.w, stream.h])
      expect(.pixelFormat, video.pixelFormat, stream.pixFmt)
      // A display matrix counts counterclockwise in FFmpeg.
      expect(.rotation, video.rotation, (360 - (stream.rotation ?? 0)) % 360)
      expect(.frames, track.frameCount, stream.frames)
      expect(.keyframes, track.keyframes.count, stream.packetsKey)
      let leading = track.keyframes.reduce(0) { $0 + $1.leadingFrames }
      expect(.leadingFrames, leading, stream.leadingAfterKey)
    }
  }

  @Test(arguments: FactDifference.judged.keys.sorted())
  func `then every judgment refers to an existing file`(_ path: String) {
    #expect(CorpusStreams.all.contains { $0.path == path })
  }
}
