import CommandLineKit
import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import TrimCommands

@Suite(.timeLimit(.minutes(5))) struct `Given a time as a screen displays it` {
  private static func typed(_ time: MediaTime) throws -> TimeExpression {
    try TimeExpression(parsing: DecimalText.clock(time.seconds))
  }

  /// From 23.976 up to 240 frames a second.
  @Test(arguments: [
    Rational(24000, 1001), Rational(24), Rational(25), Rational(30000, 1001), Rational(30),
    Rational(48), Rational(50), Rational(60000, 1001), Rational(60), Rational(240),
  ])
  func `when it is typed back then it names the frame that was displayed, at In and at Out`(
    _ rate: Rational
  ) throws {
    var random = SeededGenerator(seed: UInt64(rate.numerator))
    let count: Int64 = 10_000_000
    let starts = try FrameStarts(first: .zero, framesPerSecond: rate, count: count)
    let end = try starts.start(ofFrame: count)
    var context = TimelineContext(presented: MediaTimeRange(from: .zero, to: end))
    context.frames = starts
    for _ in 0..<3000 {
      let frame = Int64.random(in: 0..<count, using: &random)
      let (begin, stop) = (try starts.start(ofFrame: frame), try starts.start(ofFrame: frame + 1))
      let part = PartExpression(from: try Self.typed(begin), end: .to(try Self.typed(stop)))
      let range = try part.resolve(in: context)
      #expect(range.start == begin && range.end == stop, "\(random) frame \(frame)")
    }
  }

  @Test(arguments: SampleClips.names)
  func `when it is that of any frame of a sample file then the plan begins and ends with it`(
    _ name: String
  ) throws {
    let input = MediaInput.file(path: Array(SampleClips.path(name).utf8))
    guard let clip = try? FileCutter(isCancelled: { false }).open(input),
      let starts = clip.frameStarts, let count = starts.count
    else {
      // Only sound, or not a file that can be opened.
      #expect(!["b-frames.mp4", "ntsc.mp4", "vfr.mp4", "chapters.mkv"].contains(name))
      return
    }
    let facts = try Prober(isCancelled: { false }).probe(
      input, options: ProbeOptions(wantsFrames: true))
    for frame in 0..<count {
      let (begin, stop) = (try starts.start(ofFrame: frame), try starts.start(ofFrame: frame + 1))
      let part = PartExpression(from: try Self.typed(begin), end: .to(try Self.typed(stop)))
      let shown = try PlayedMedia(facts, location: name, part: part)
      #expect(shown.part == MediaTimeRange(from: begin, to: stop), "frame \(frame)")
      // On the screen of an editor: the frame at In, and the last one before Out.
      let frames = shown.timings.frames
      if !frames.isEmpty {
        #expect(frames.index(at: shown.part.start) == Int(frame))
        #expect(frames.index(before: shown.part.end) == Int(frame))
      }
      // Planning takes longer than everything else.
      guard frame % 29 == 0 else { continue }
      let plan = try clip.plan(CutRequest(range: shown.part), for: .matroska)
      #expect(plan.frames == 1, "frame \(frame)")
      #expect(plan.parts[0].tracks.first { $0.video != nil }?.sourceRange.start == begin)
    }
  }
}
