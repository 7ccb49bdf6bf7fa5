import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given an output whose name implies audio only` {
  private static func request() throws -> CutRequest {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2))))
    request.isSoundAlone = true
    return request
  }

  private static let source = DrawnSource(DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12"))

  @Test func `then the default audio track is written, and nothing else`() throws {
    var facts = Self.source.facts
    var second = facts.tracks[1]
    second.id = 3
    second.isDefault = true
    facts.tracks.append(second)
    let plan = try CutPlanner([facts], OutputContainer.m4a.rules, Self.request()).plan()
    #expect(plan.parts[0].tracks.map(\.source) == [2])
    #expect(plan.tracks.filter { $0.dropped != nil }.map(\.index) == [0, 1])
  }

  @Test func `when no track is the default then the first is used`() throws {
    let plan = try CutPlanner(
      [Self.source.facts], OutputContainer.m4a.rules, Self.request()
    ).plan()
    #expect(plan.parts[0].tracks.map(\.source) == [1])
    // Other data in the packets is in the file, and is reported.
    #expect(plan.tracks[1].hiddenLength.isPositive)
  }

  @Test func `when there is no audio then that is reported`() throws {
    var facts = Self.source.facts
    facts.tracks.removeLast()
    #expect(throws: PlanningError.self) {
      try CutPlanner([facts], OutputContainer.m4a.rules, Self.request()).plan()
    }
  }

  @Test(arguments: [
    ("a.m4a", true), ("a.m4b", true), ("a.MP3", true), ("b/a.opus", true), ("a.flac", true),
    ("a.wav", true),
    ("a.aac", true), ("a.mka", true), ("a.mp4", false), ("a.mkv", false), ("a.ogg", false),
    ("a.m4a/b", false), ("m4a", false), ("a.m4a.mp4", false), ("", false),
  ])
  func `then the file extension decides`(_ name: String, _ isSound: Bool) {
    #expect(OutputContainer.isSoundAlone(fileName: name.utf8) == isSound)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Given an audio-only output that does not hold the source's codec` {
  private static func facts(_ encoder: Bool?) -> SourceFacts {
    var facts = DrawnSource(DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12")).facts
    facts.soundEncoders = encoder.map { ["mp3": $0, "opus": $0] } ?? [:]
    facts.learned[1, default: .init()].isDecodable = true
    return facts
  }

  private static func plan(
    _ facts: SourceFacts, _ rules: ContainerRules, isSoundAlone: Bool = true
  ) throws -> CutPlan {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2))))
    request.isSoundAlone = isSoundAlone
    return try CutPlanner([facts], rules, request).plan()
  }

  /// RFC 7845, 9: this extension means Opus; Ogg with other extensions holds more.
  @Test(arguments: ["flac", "vorbis"])
  func `when it is called .opus then audio becomes Opus, though Ogg would hold the codec`(
    _ codec: Codec
  ) throws {
    var facts = Self.facts(true)
    facts.tracks[1].codec = codec
    let opus = try #require(OutputContainer(fileName: "a.opus".utf8))
    #expect(try Self.plan(facts, opus.rules).tracks[1].encodedAs == "opus")
    let ogg = try #require(OutputContainer(fileName: "a.oga".utf8))
    #expect(ogg.rules.codecs?.contains(codec) == true)
    #expect(opus.rules.muxer == ogg.rules.muxer)
  }

  @Test func `then the audio is re-encoded into one that it holds, and the plan says so`() throws {
    let plan = try Self.plan(Self.facts(true), OutputContainer.mp3.rules)
    #expect(plan.tracks[1].encodedAs == "mp3")
    #expect(plan.tracks[1].encoded == plan.tracks[1].packets)
    #expect(plan.tracks[1].reasons == [.codecDoesNotFit])
    #expect(plan.parts[0].tracks.map(\.soundCodec) == ["mp3"])
    #expect(plan.length == MediaDuration(2, 5))
  }

  @Test func `when it is not known whether there is an encoder then the planner asks`() throws {
    #expect(throws: PlanningError.missing([.soundEncoder(source: 0, codec: "mp3")])) {
      try Self.plan(Self.facts(nil), OutputContainer.mp3.rules)
    }
  }

  @Test func `when there is no encoder then the error says so and names alternatives`() throws {
    let error = #expect(throws: PlanningError.self) {
      try Self.plan(Self.facts(false), OutputContainer.mp3.rules)
    }
    guard case .refused(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.code == .codecMissing)
    #expect(refusal.message.contains("no encoder for mp3"))
    #expect(refusal.hint?.contains(".m4a") == true)
  }

  @Test(arguments: [OutputContainer.mpegts, .ogg, .opus, .flv])
  func `when it cannot be decoded then the hint names other containers than the one refused`(
    _ container: OutputContainer
  ) throws {
    var facts = Self.facts(true)
    facts.tracks[1].codec = container == .ogg || container == .opus ? "opus" : "aac"
    facts.soundEncoders[facts.tracks[1].codec] = false
    facts.learned[1, default: .init()].isEncodable = false
    facts.learned[1, default: .init()].isDecodable = false
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2))))
    request.isSoundAlone = true
    request.audio = .reencode
    let error = #expect(throws: PlanningError.self) {
      try CutPlanner([facts], container.rules, request).plan()
    }
    guard case .refused(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let hint = try #require(refusal.hint)
    #expect(hint.contains("These can hold it: "))
    #expect(hint.contains(".mkv"))
    #expect(!"\(hint.dropLast()),".contains("\(container.rules.ending),"), "\(hint)")
  }

  @Test(arguments: [true, false])
  func `when re-encoding was not requested then it is proposed if there is an encoder`(
    _ hasEncoder: Bool
  ) throws {
    var facts = Self.facts(hasEncoder)
    facts.tracks.removeFirst()
    facts.learned[0] = facts.learned[1]
    let error = #expect(throws: PlanningError.self) {
      try Self.plan(facts, OutputContainer.mp3.rules, isSoundAlone: false)
    }
    guard case .refused(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.code == .codecDoesNotFit)
    #expect(refusal.hint?.contains("would make it mp3, which .mp3 can hold") == hasEncoder)
  }

  @Test func `when .ogg is named and the video does not fit there then only audio is written`()
    throws
  {
    let plan = try Self.plan(Self.facts(true), OutputContainer.ogg.rules, isSoundAlone: false)
    #expect(plan.tracks[1].encodedAs == "opus")
    #expect(plan.tracks[0].dropped != nil)
  }

  @Test func `when .ogg holds the video then both are written`() throws {
    var facts = Self.facts(true)
    facts.tracks[0].codec = "theora"
    facts.tracks[1].codec = "vorbis"
    let plan = try Self.plan(facts, OutputContainer.ogg.rules, isSoundAlone: false)
    #expect(plan.tracks.allSatisfy { $0.dropped == nil && $0.encodedAs == nil })
  }

  /// It takes a read for each packet, which is worth it only for containers that position packets
  /// by it.
  @Test(arguments: [(OutputContainer.ogg, [1]), (.mp4, []), (.matroska, [])])
  func `when packets can state their length then they are read if nothing else states it`(
    _ container: OutputContainer, _ asked: [Int]
  ) throws {
    var facts = Self.facts(true)
    facts.tracks[0].codec = "theora"
    facts.tracks[1].codec = "vorbis"
    for track in facts.tracks.indices { facts.learned[track]?.packetLengths = nil }
    var questions: Set<MissingFact> = []
    do {
      _ = try Self.plan(facts, container.rules, isSoundAlone: false)
    } catch PlanningError.missing(let missing) {
      questions = missing
    } catch {}
    #expect(questions == Set(asked.map { .packetLengths(source: 0, track: $0) }))
  }

  @Test func `when .ogg is named and there is no video then audio that does not fit becomes Opus`()
    throws
  {
    var facts = Self.facts(true)
    facts.tracks.removeFirst()
    facts.learned[0] = facts.learned[1]
    let plan = try Self.plan(facts, OutputContainer.ogg.rules, isSoundAlone: false)
    #expect(plan.tracks.map(\.encodedAs) == ["opus"])
    facts.tracks[0].codec = "vorbis"
    let copied = try Self.plan(facts, OutputContainer.ogg.rules, isSoundAlone: false)
    #expect(copied.tracks.map(\.encodedAs) == [nil])
  }

  @Test func `when the source's codec cannot be decoded here then the plan refuses it`() throws {
    var facts = Self.facts(true)
    facts.learned[1]?.isDecodable = false
    let error = #expect(throws: PlanningError.self) {
      try Self.plan(facts, OutputContainer.mp3.rules)
    }
    guard case .refused(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.code == .codecMissing)
    #expect(refusal.message.contains("cannot be decoded"))
  }
}
