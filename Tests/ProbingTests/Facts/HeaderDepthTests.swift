import MediaFacts
import Probing
import Support
import Testing

/// At header depth nothing after the headers is read.
@Suite(.timeLimit(.minutes(1))) struct `Given a headers-only probe` {
  @Test(arguments: ["chapters.mkv", "live.webm", "sound.opus", "gapless.mp3", "broadcast.ts"])
  func `then it does not report that nothing is presented`(_ name: String) throws {
    let facts = try Prober().probe(
      .file(path: Array(SampleClips.path(name).utf8)), options: ProbeOptions(depth: .header))
    #expect(facts.durations.presented == nil)
    #expect(!facts.notes.contains { $0.id == .nothingPresented })
  }
}
