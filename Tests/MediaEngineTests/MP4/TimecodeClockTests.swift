import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// QuickTime files whose timecode track covers the file's timeline.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given a file with a timecode track` {
  private func clip(_ words: [String] = []) async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mov")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=d=4:r=25:s=64x48"] + words
        + ["-c:v", "mpeg4", "-timecode", "10:00:00:00", path])
    return try fileBytes(path)
  }

  private func facts(_ bytes: [UInt8]) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.mov")
    return try Prober().probe(.file(path: Array(path.utf8)))
  }

  @Test func `then its clock has its own rate and start`() async throws {
    let clock = try #require(SourceTimecode.clock(of: try facts(try await clip())))
    #expect(clock.first.description == "10:00:00:00")
    #expect(clock.first.rate.framesPerSecond == Rational(25))
    #expect(clock.start == .zero)
  }

  @Test func `when its own edit list begins within the media then the clock begins there`()
    async throws
  {
    var bytes = try await clip()
    // The timecode track comes last; its edit is a length and the media's tick (8.6.6).
    let list = try #require(bytes.ranges(of: Array("elst".utf8)).last).upperBound
    let place = list + 12
    bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0x32, 0])
    let facts = try facts(bytes)
    let clock = try #require(SourceTimecode.clock(of: facts))
    #expect(clock.first.description == "10:00:01:00")
    #expect(clock.start == .zero)
    #expect(facts.tracks.first { $0.kind == .timecode }?.timecode == "10:00:01:00")
  }

  @Test func `when it is cut then the cut's label is that of IN, at the timecode's rate`()
    async throws
  {
    // A second of frames in the middle is missing.
    let bytes = try await clip([
      "-vf", "select=not(between(n\\,25\\,49))", "-fps_mode", "vfr", "-enc_time_base", "1:25",
    ])
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.mov")
    let output = folder.path(of: "cut.mov")
    let range = try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range), to: Array(output.utf8), as: .mov)
    let clock = try #require(SourceTimecode.clock(of: try facts(try fileBytes(output))))
    #expect(clock.first.description == "10:00:02:00")
  }

  /// After two seconds it is set to 20:00:00:00 (QuickTime File Format, "Timecode Media").
  private func clipThatResets() async throws -> [UInt8] {
    var bytes = try await clip()
    // The tables of the timecode track come last: times, chunks and offsets.
    func table(_ name: String) throws -> Int {
      try #require(bytes.ranges(of: Array(name.utf8)).last).upperBound
    }
    func number(_ place: Int) -> UInt32 {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func set(_ value: UInt32, at place: Int) {
      bytes.replaceSubrange(
        place..<place + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
    }
    let times = try table("stts")
    set(2, at: times + 8)
    set(number(times + 12) / 2, at: times + 12)
    set(2, at: try table("stsz") + 8)
    // Both samples are in one chunk, stored separately after the movie.
    set(2, at: try table("stsc") + 12)
    set(UInt32(bytes.count + 8), at: try table("stco") + 8)
    bytes += [0, 0, 0, 16] + Array("free".utf8)
    let end = bytes.count
    bytes += .init(repeating: 0, count: 8)
    set(900_000, at: end)
    set(1_800_000, at: end + 4)
    return bytes
  }

  @Test func `when it is reset in the middle then the labels of both stretches are known`()
    async throws
  {
    let facts = try facts(try await clipThatResets())
    let clock = try #require(SourceTimecode.clock(of: facts))
    #expect(clock.first.description == "10:00:00:00")
    #expect(clock.later.map(\.first.description) == ["20:00:00:00"])
    #expect(clock.later.map(\.start) == [MediaTime(2)])
  }

  @Test func `when it is reset then the cut is reset at the same frame`() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(try await clipThatResets(), to: "clip.mov")
    for (from, to, labels, starts) in [
      (1, 3, ["10:00:01:00", "20:00:00:00"], [0, 1]), (3, 4, ["20:00:01:00"], [0]),
      (0, 2, ["10:00:00:00"], [0]),
    ] as [(Int64, Int64, [String], [Int64])] {
      let output = folder.path(of: "cut.mov")
      let range = try #require(MediaTimeRange(from: MediaTime(from), to: MediaTime(to)))
      let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(CutRequest(range: range), to: Array(output.utf8), replaces: true))
      #expect(report.plan.tracks.last?.packets == labels.count)
      let clock = try #require(SourceTimecode.clock(of: try facts(try fileBytes(output))))
      let stretches = [TimecodeClock.Stretch(first: clock.first, start: clock.start)] + clock.later
      #expect(stretches.map(\.first.description) == labels)
      #expect(stretches.map(\.start) == starts.map { MediaTime($0) })
    }
  }
}
