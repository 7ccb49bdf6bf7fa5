import ExactTime
import MediaFacts
import Testing

@testable import TrimCommands

@Suite struct `Given a declared and a presented duration` {
  /// A file of 25 frames a second, 10 s long.
  private func verdict(declared: MediaDuration?, isTruncated: Bool = false) -> DurationVerdict {
    var facts = MediaFacts(
      container: ContainerFacts(format: "mp4", longName: "MP4"), depth: .header)
    var track = TrackFacts(id: 1, index: 0, kind: .video, codec: "h264")
    track.video = VideoFacts(width: 16, height: 16)
    track.video?.nominalFrameRate = Rational(25)
    facts.tracks = [track]
    facts.durations.presented = DurationFact(
      length: MediaDuration(10), start: .zero, source: .sampleTable, trackID: 1)
    facts.durations.declared = declared.map {
      DurationFact(length: $0, source: .containerHeader)
    }
    if isTruncated { facts.damage = [Damage(.truncated, at: 1, "it ends")] }
    return DurationVerdict(facts)
  }

  @Test func `then they agree if at most a frame apart`() {
    for declared in [MediaDuration(249, 25), MediaDuration(10), MediaDuration(251, 25)] {
      #expect(verdict(declared: declared) == .agrees)
    }
  }

  @Test func `then the declared one is too long or too short if they differ by more`() {
    let bit = MediaDuration(1, 1_000_000)
    #expect(verdict(declared: MediaDuration(251, 25) + bit) == .declaredTooLong)
    #expect(verdict(declared: MediaDuration(249, 25) - bit) == .declaredTooShort)
  }

  @Test func `then a truncated file is reported as truncated first`() {
    #expect(verdict(declared: MediaDuration(99), isTruncated: true) == .truncated)
    #expect(verdict(declared: nil) == .undeclared)
  }
}
