import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.timeLimit(.minutes(1))) struct `Given concatenated transport streams` {
  private static func open(_ path: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  /// When each frame is shown, counted from the first presented sample, as a probe lists them.
  private static func frames(_ path: String) throws -> [MediaTimeRange] {
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsFrames: true))
    let origin = try #require(facts.durations.presented?.start)
    return try #require(facts.tracks.first { $0.kind == .video }).shownFrames.map {
      try MediaTimeRange(
        from: MediaTime(seconds: $0.time.distance(from: origin).seconds), length: $0.duration)
    }
  }

  /// A stream appended to itself: 3 s of pictures each, 1136/375 s with the sound.
  private static func twice(_ folder: ScratchFolder, lacking bytes: Int = 0) throws -> String {
    let one = try SampleClips.bytes("broadcast.ts")
    return try folder.write(one.dropLast(bytes) + one, to: "twice.ts")
  }

  private static let join = MediaTime(1136, 375)

  private static func range(_ before: MediaDuration, _ behind: MediaDuration) throws
    -> MediaTimeRange
  {
    try #require(
      MediaTimeRange(from: join.moved(back: before), to: join.advanced(by: behind)))
  }

  @Test(arguments: [OutputContainer.mpegts, .matroska, .mp4])
  func `when a range is cut across the join then it has the frames of both sides, and no damage`(
    _ container: OutputContainer
  ) throws {
    let folder = try ScratchFolder()
    let path = try Self.twice(folder)
    let range = try Self.range(MediaDuration(11, 10), MediaDuration(7, 10))
    let output = folder.path(of: "cut." + container.rules.ending)
    let report = try Self.open(path).cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: container)
    #expect(report.examination?.damage == [])

    let expected = try Self.frames(path).filter { $0.end > range.start && $0.start < range.end }
      .map { try max($0.start, range.start).distance(from: range.start) }
    let coded = try #require(try Self.open(output).source.tracks.first).coded
    let starts = try coded.packets.map { try coded.time(atTick: $0.pts) }.sorted()
    #expect(starts.count == expected.count)
    #expect(starts.count == 45)
    let slack = container.isISO ? MediaDuration(1, 1_000_000) : MediaDuration(1, 500)
    for (start, wanted) in zip(starts, expected) {
      let first = try #require(starts.first)
      let place = try start.distance(from: first)
      #expect(try place.subtracting(wanted).checkedMagnitude() <= slack)
    }
  }

  @Test(arguments: [0, 3600])
  func `then the frames after the join are cut where a probe reports them`(
    _ later: Int64
  ) async throws {
    guard EncodedClip.isPossible else { return }
    let folder = try ScratchFolder()
    var bytes: [UInt8] = []
    for offset in [0, later] {
      let part = folder.path(of: "part-\(bytes.count).ts")
      // The sound ends last, and not on a tick of the clock.
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2", "-f",
        "lavfi", "-i", "sine=sample_rate=44100:duration=2.1", "-c:v", "libx264", "-g", "12",
        "-c:a", "aac", "-output_ts_offset", "\(offset)", part,
      ])
      bytes += try fileBytes(part)
    }
    let path = try folder.write(bytes, to: "clip.ts")
    let frames = try Self.frames(path)
    #expect(frames.count == 100)
    let coded = try #require(try Self.open(path).source.tracks.first).coded
    let starts = coded.packets.map(\.pts).sorted()
    for (frame, tick) in zip(frames, starts) {
      #expect(try coded.time(atTick: tick) == frame.start)
      #expect(try coded.opened(at: frame).ticks.lowerBound == tick)
      #expect(try coded.opened(at: frame).lead == nil)
    }
  }

  @Test func `when the audio of the first extends into the second then the overlap is left out`()
    throws
  {
    let folder = try ScratchFolder()
    let one = try SampleClips.bytes("broadcast.ts")
    var next = PatchedStream(bytes: one)
    // After the first, with the sound 30 ms too early: one and a half packets of 1024 samples.
    next.changeStamps { $1 + 272_640 }
    next.changeStamps(of: 0xC0...0xDF) { $1 - 2700 }
    let path = try folder.write(one + next.bytes, to: "clip.ts")
    let range = try Self.range(MediaDuration(1), MediaDuration(1))
    let output = folder.path(of: "cut.mkv")
    let report = try Self.open(path).cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .matroska)
    #expect(report.plan.tracks.contains { $0.reasons.contains(.overlapsLeftOut) })
    let sound = try #require(try Self.open(output).source.tracks.last).coded
    let starts = sound.packets.map(\.pts)
    // In milliseconds: the packets at the join are as far apart as their timestamps.
    let steps = zip(starts, starts.dropFirst()).map { $1 - $0 }
    #expect(steps.count { (12...14).contains($0) } == 1)
    #expect(steps.count { (20...22).contains($0) } == steps.count - 1)
  }

  @Test func `when the first ends within a picture then its damage is reported`() throws {
    let folder = try ScratchFolder()
    let path = try Self.twice(folder, lacking: 188 * 45)
    let whole = try #require(
      MediaTimeRange(from: .zero, to: Self.join.advanced(by: MediaDuration(1, 2))))
    let report = try Self.open(path).cut(
      CutRequest(range: whole), to: Array(folder.path(of: "cut.mkv").utf8), as: .matroska)
    let damage = try #require(report.examination?.damage.first)
    #expect(damage.type == .video)
    #expect(damage.source.end > MediaTime(2))
    #expect(damage.source.start < Self.join)
  }

  @Test func `when they were encoded differently then MP4 accepts them, copied and re-encoded`()
    async throws
  {
    guard EncodedClip.isPossible else { return }
    let folder = try ScratchFolder()
    var bytes: [UInt8] = []
    for parameters in ["bframes=2:ref=3", "bframes=0:ref=1"] {
      let part = folder.path(of: "part.ts")
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2",
        "-c:v", "libx264", "-g", "12", "-x264-params", parameters, part,
      ])
      bytes += try fileBytes(part)
    }
    let clip = try Self.open(folder.write(bytes, to: "clip.ts"))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    for mode in [CutMode.copy, .reencode] {
      let output = Array(folder.path(of: "\(mode).mp4").utf8)
      let report = try clip.cut(
        CutRequest(range: range, mode: mode, verification: .full), to: output, as: .mp4)
      #expect(report.plan.frames >= 50)
      #expect(report.plan.tracks[0].reasons.contains(.setsInSamples) == (mode == .copy))
      #expect(report.examination?.damage == [])
    }
  }
}
