import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given a transport stream that is appended to itself` {
  private func facts(copies: Int) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let one = try SampleClips.bytes("broadcast.ts")
    let path = try folder.write(Array(repeatElement(one, count: copies).joined()), to: "clip.ts")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsKeyframes: true))
  }

  private func pictures(_ facts: MediaFacts) throws -> TrackFacts {
    try #require(facts.tracks.first { $0.kind == .video })
  }

  @Test func `then it lasts twice as long`() throws {
    let one = try #require(try facts(copies: 1).durations.presented?.length)
    #expect(try facts(copies: 2).durations.presented?.length == one + one)
  }

  @Test func `then its rate is not constant, since the audio of the first ends within a frame`()
    throws
  {
    #expect(try pictures(facts(copies: 1)).video?.isConstantFrameRate == true)
    let video = try #require(try pictures(facts(copies: 2)).video)
    #expect(video.isConstantFrameRate == false)
    #expect(video.nominalFrameRate == Rational(25))
  }

  @Test func `then it has twice the keyframes, the second half delayed by its length`() throws {
    let one = try pictures(facts(copies: 1))
    let whole = try facts(copies: 1).durations.presented?.length ?? .zero
    let two = try pictures(facts(copies: 2))
    #expect(two.keyframes.count == 2 * one.keyframes.count)
    let half = one.keyframes.count
    let frames = try #require(one.frameCount)
    for (index, keyframe) in one.keyframes.enumerated() {
      let again = two.keyframes[half + index]
      #expect(two.keyframes[index] == keyframe)
      #expect(try again.time.distance(from: keyframe.time) == whole)
      #expect(again.frame == keyframe.frame.map { $0 + frames })
    }
  }

  @Test func `then it has twice the GOPs, and none is longer`() throws {
    let one = try #require(try pictures(facts(copies: 1)).gops)
    let two = try #require(try pictures(facts(copies: 2)).gops)
    #expect(two.count == 2 * one.count)
    #expect(two.closedCount == 2 * one.closedCount)
    #expect(two.openCount == 2 * one.openCount)
    #expect(two.longestFrames == one.longestFrames)
    #expect(two.shortestFrames == one.shortestFrames)
    #expect(two.longestLength == one.longestLength)
  }
}
