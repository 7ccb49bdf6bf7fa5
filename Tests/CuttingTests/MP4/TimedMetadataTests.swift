import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// What cameras record in addition to pictures and sound (ISO 14496-12, 12.3): position and motion.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file with timed metadata` {
  /// A text track turned into a metadata track: samples at 0, 1 and 2 s.
  private static func clip(in folder: ScratchFolder) async throws -> String {
    let text = (0..<3).map { "\($0 + 1)\n00:00:0\($0),000 --> 00:00:0\($0 + 1),000\nat \($0)\n\n" }
    try folder.write(Array(text.joined().utf8), to: "a.srt")
    let made = folder.path(of: "text.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await EncodedClip.named("H.264, open groups").make(in: folder), "-i",
      folder.path(of: "a.srt"), "-map", "0", "-map", "1", "-c:v", "copy", "-c:s", "mov_text", made,
    ])
    try becomesMetadata(made, in: folder, as: "clip.mp4")
    return folder.path(of: "clip.mp4")
  }

  private static func becomesMetadata(
    _ path: String, in folder: ScratchFolder, as name: String
  ) throws {
    var bytes = try fileBytes(path)
    for (type, other) in [("sbtl", "meta"), ("tx3g", "mett")] {
      let place = try #require(bytes.firstRange(of: Array(type.utf8)))
      bytes.replaceSubrange(place, with: Array(other.utf8))
    }
    try folder.write(bytes, to: name)
  }

  private static func cut(
    _ path: String, to output: String, _ parts: [Range<Int64>], isStrict: Bool = false
  ) throws -> CutReport {
    let ranges = try parts.map {
      try #require(
        MediaTimeRange(from: MediaTime($0.lowerBound, 25), to: MediaTime($0.upperBound, 25)))
    }
    var request = CutRequest(range: ranges[0], verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    request.isStrict = isStrict
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
  }

  /// Frames of 40 ms.
  @Test(
    arguments: [
      ([10..<40], ["at 0", "at 1"], [0, 25], [25, 25]),
      ([30..<45], ["at 1"], [0], [25]),
      ([10..<20, 30..<60], ["at 0", "at 1", "at 2"], [0, 25, 50], [25, 25, 25]),
    ] as [([Range<Int64>], [String], [Int64], [Int64])])
  func
    `when it is cut into its own format then it is kept, and samples keep their duration`(
      _ it: (parts: [Range<Int64>], texts: [String], starts: [Int64], lengths: [Int64])
    ) async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try Self.cut(path, to: output, it.parts)
    #expect(report.plan.tracks.map(\.dropped) == [nil, nil])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let track = clip.source.tracks[1]
    #expect(track.isTimedMetadata)
    #expect(track.facts.codec == "mett")
    let packets = track.coded.packets
    try clip.source.prepare([1: [packets.indices]])
    let texts = try packets.indices.map {
      String(decoding: try clip.source.bytes(ofTrack: 1, $0).dropFirst(2), as: UTF8.self)
    }
    #expect(texts == it.texts)
    let frame = MediaDuration(1, 25)
    let ticks = try track.coded.grid.ticks(of: frame, rounding: .nearest)
    #expect(packets.map(\.pts) == it.starts.map { $0 * ticks })
    #expect(packets.map(\.duration) == it.lengths.map { $0 * ticks })
  }

  /// 25 frames of 40 ms in each sample.
  @Test func `when parts are joined then each has an edit that hides the rest of its samples`()
    async throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mp4")
    _ = try Self.cut(try await Self.clip(in: folder), to: output, [10..<20, 30..<60])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let movie = try #require(clip.source.native).movie
    let track = movie.tracks[1]
    let (media, scale) = (try #require(track.timescale), try #require(movie.timescale))
    #expect(track.edits.map { $0.mediaTime * 25 / media } == [10, 30])
    #expect(track.edits.map { Int64($0.segmentDuration) * 25 / scale } == [10, 30])
  }

  @Test func `when it is written in fragments then an edit hides what is before IN`() async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mp4")
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(30, 25), to: MediaTime(60, 25))),
      verification: .full)
    request.isFragmented = true
    _ = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await Self.clip(in: folder).utf8))
    ).cut(CutOrder(request, to: Array(output.utf8)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let coded = clip.source.tracks[1].coded
    #expect(coded.origin == MediaTime(-5, 25))
    let lengths = try coded.packets.map { try coded.grid.duration(ofTicks: $0.duration) }
    #expect(lengths == [MediaDuration(1), MediaDuration(1)])
  }

  /// Its pictures begin at 1 s, its sound at 0: without the sound the output begins with the pictures.
  @Test func `when a sample ends before the first frame of the output then it is left out`()
    async throws
  {
    let folder = try ScratchFolder()
    let (path, late) = (try await Self.clip(in: folder), folder.path(of: "late.mp4"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-itsoffset", "1", "-i", path, "-f", "lavfi", "-i", "sine=d=4", "-i",
      folder.path(of: "a.srt"), "-map", "0:v", "-map", "1", "-map", "2", "-c:v", "copy", "-c:a",
      "aac", "-c:s", "mov_text", late,
    ])
    try Self.becomesMetadata(late, in: folder, as: "late.mp4")
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(5, 2))))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(late.utf8)))
    #expect(try clip.plan(request, for: .mp4).tracks.last?.packets == 3)
    let metadata = try #require(clip.source.tracks.last).facts.id
    request.tracks = TrackChoice(kinds: [.video], ids: [metadata])
    let plan = try clip.plan(request, for: .mp4)
    #expect(plan.tracks.last?.packets == 2)
    let output = folder.path(of: "cut.mp4")
    _ = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    #expect(try Self.starts(output) == [.zero, MediaTime(1)])
  }

  /// The output begins the track with an empty edit, as cameras do.
  @Test func `when a track begins later than the file then it does so in a part too`()
    async throws
  {
    let folder = try ScratchFolder()
    let joined = folder.path(of: "joined.mp4")
    let report = try Self.cut(
      try await Self.clip(in: folder), to: joined, [80..<95, 25..<45])
    #expect(report.plan.tracks[1].packets == 1)
    try Self.check(joined, folder)
    // The first part has none of it.
    let cut = folder.path(of: "parts.mp4")
    _ = try Self.cut(joined, to: cut, [0..<10, 10..<25])
    #expect(try Self.starts(cut) == [MediaTime(15, 25)])
    // An edit that begins within a sample.
    var bytes = try fileBytes(joined)
    let track = try #require(bytes.firstRange(of: Array("mett".utf8))).lowerBound
    let list = try #require(bytes[..<track].ranges(of: Array("elst".utf8)).last).upperBound
    let isLong = bytes[list] == 1
    let second = list + 8 + (isLong ? 20 : 12)
    try #require(bytes[list + 7] == 2)
    bytes[second + (isLong ? 15 : 7)] = 9
    try folder.write(bytes, to: "inside.mp4")
    try Self.check(folder.path(of: "inside.mp4"), try ScratchFolder(), isInside: true)
  }

  /// It begins at frame 15.
  ///
  /// - Parameter isInside: the edit hides the beginning of a sample, which is kept whole.
  private static func check(
    _ path: String, _ folder: ScratchFolder, isInside: Bool = false
  ) throws {
    for (part, start) in [(0..<25, 15), (5..<25, 10), (15..<25, 0)] as [(Range<Int64>, Int64)] {
      let output = folder.path(of: "cut\(part.lowerBound).mp4")
      _ = try cut(path, to: output, [part])
      let found = try starts(output)
      #expect(found.count == 1, "\(part)")
      let first = try #require(found.first)
      #expect(isInside ? first < MediaTime(start, 25) : first == MediaTime(start, 25), "\(part)")
    }
  }

  private static func starts(_ path: String) throws -> [MediaTime] {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let coded = clip.source.tracks[1].coded
    return try coded.packets.map { try coded.time(atTick: $0.pts) }
  }

  /// They describe what is before IN and after OUT too.
  @Test(arguments: [(20..<60, ["at 1"]), (25..<75, ["at 1", "at 2"]), (26..<49, [])])
  func `when nothing from outside may be kept then samples that extend beyond the range are not`(
    _ part: Range<Int64>, _ texts: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try Self.cut(path, to: output, [part], isStrict: true)
    #expect((report.plan.tracks[1].dropped != nil) == texts.isEmpty)
    let bytes = try fileBytes(output)
    for text in ["at 0", "at 1", "at 2"] {
      #expect((bytes.firstRange(of: Array(text.utf8)) != nil) == texts.contains(text))
    }
  }

  @Test(
    arguments: [
      ("mkv", 10..<40, ".mkv cannot hold it"),
      ("mov", 10..<40, ".mov cannot hold mett"),
      ("mp4", 80..<95, "none of it is in the range"),
    ] as [(String, Range<Int64>, String)])
  func `when there is none in the range, or it cannot be held, then that is reported`(
    _ ending: String, _ part: Range<Int64>, _ reason: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let report = try Self.cut(path, to: folder.path(of: "cut." + ending), [part])
    #expect(report.plan.tracks.map(\.dropped) == [nil, reason])
  }
}
