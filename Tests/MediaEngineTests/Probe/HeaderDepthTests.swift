import MediaEngine
import MediaFacts
import Support
import Testing

/// At the depth of headers nothing is looked for behind them.
@Suite(.timeLimit(.minutes(1))) struct `Given a probe of headers alone` {
  @Test(arguments: ["chapters.mkv", "live.webm", "sound.opus", "gapless.mp3", "broadcast.ts"])
  func `then it does not say that nothing is presented`(_ name: String) throws {
    let facts = try Prober().probe(
      .file(path: Array(SampleFilms.path(name).utf8)), options: ProbeOptions(depth: .header))
    #expect(facts.durations.presented == nil)
    #expect(!facts.notes.contains { $0.id == "nothing-presented" })
  }
}
