import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

/// Sound in packets of 1024 samples at 48 kHz, 21.3 ms each.
@Suite(.timeLimit(.minutes(1))) struct `Given a range with little audio in it` {
  private static func facts() -> SourceFacts {
    DrawnSource(DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12")).facts
  }

  private static func range(_ from: Int64, _ to: Int64) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: MediaTime(from, 1000), to: MediaTime(to, 1000)))
  }

  private static func refusal(
    _ facts: SourceFacts, _ container: OutputContainer, _ request: CutRequest
  ) -> PlanRefusal? {
    let error = #expect(throws: PlanningError.self) {
      try CutPlanner([facts], container.rules, request).plan()
    }
    guard case .refused(let refusal) = error else { return nil }
    return refusal
  }

  @Test(arguments: [AudioMode.copy, .reencode])
  func `when it ends before the audio is first heard then the cut has no audio`(
    _ audio: AudioMode
  ) throws {
    var facts = Self.facts()
    facts.tracks[1].heardFrom = MediaTime(1024, 48_000)
    var request = CutRequest(range: try Self.range(0, 10))
    request.audio = audio
    let plan = try CutPlanner([facts], OutputContainer.mp4.rules, request).plan()
    #expect(plan.tracks[1].dropped == "none of its audio is in the range")
    request.isSoundAlone = true
    let refusal = try #require(Self.refusal(facts, .m4a, request))
    #expect(refusal.code == .emptyRange)
    #expect(refusal.message == "nothing in the file is shown in the range")
    request = CutRequest(range: try Self.range(0, 100))
    request.audio = audio
    let longer = try CutPlanner([facts], OutputContainer.mp4.rules, request).plan()
    #expect(longer.tracks[1].dropped == nil)
  }

  @Test func `when no packet begins in either of two parts then the refusal says that`() throws {
    var facts = Self.facts()
    facts.learned[1, default: .init()].isEncodable = false
    var request = CutRequest(range: try Self.range(5, 10))
    request.join(try Self.range(105, 110))
    request.isSoundAlone = true
    let refusal = try #require(Self.refusal(facts, .matroska, request))
    #expect(refusal.code == .emptyRange)
    #expect(refusal.message.contains("no audio packet begins in the range"))
  }

  @Test func `when the range is past the end of the file then the refusal says that`() throws {
    var request = CutRequest(range: try Self.range(5000, 6000))
    request.isSoundAlone = true
    let refusal = try #require(Self.refusal(Self.facts(), .matroska, request))
    #expect(refusal.message == "nothing in the file is shown in the range")
  }

  /// Frames of 1152 samples at 48 kHz, and one before them: it takes seven to identify an MP3 file.
  @Test(arguments: [(120, true), (121, false)] as [(Int64, Bool)])
  func `when it becomes an MP3 then it is reported as too short if its frames are too few`(
    _ milliseconds: Int64, _ isShort: Bool
  ) throws {
    var request = CutRequest(range: try Self.range(0, milliseconds))
    request.isSoundAlone = true
    let plan = try CutPlanner([Self.facts()], OutputContainer.mp3.rules, request).plan()
    #expect(plan.tracks[1].encodedAs == "mp3")
    #expect(plan.tracks[1].reasons.contains(.fewPackets) == isShort)
  }

  /// Frames of 1536 samples at 32 kHz, the lowest AC-3 rate, to which lower rates are converted.
  @Test(arguments: [(240, true), (241, false)] as [(Int64, Bool)])
  func `when it becomes AC-3 at another rate then the frames are those of that rate`(
    _ milliseconds: Int64, _ isShort: Bool
  ) throws {
    var facts = Self.facts()
    facts.tracks[1].sampleRate = 8000
    var request = CutRequest(range: try Self.range(0, milliseconds))
    request.isSoundAlone = true
    let plan = try CutPlanner([facts], OutputContainer.ac3.rules, request).plan()
    #expect(plan.tracks[1].encodedAs == "ac3")
    #expect(plan.tracks[1].reasons.contains(.fewPackets) == isShort)
  }
}
