import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// PES packets may omit their PTS for up to 0.7 s (ISO/IEC 13818-1, 2.7.4).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given a stream in which some pictures have no timestamp` {
  struct Clip: CustomTestStringConvertible {
    var testDescription: String
    var words: [String]

    static func h264(_ name: String, _ parameters: String) -> Clip {
      Clip(
        testDescription: "H.264, \(name)",
        words: [
          "-c:v", "libx264", "-preset", "veryfast", "-x264-params",
          "threads=1:keyint=12:min-keyint=12:scenecut=0:" + parameters,
        ])
    }

    static func hevc(_ parameters: String) -> Clip {
      Clip(
        testDescription: "HEVC",
        words: [
          "-c:v", "libx265", "-preset", "veryfast", "-x265-params",
          "log-level=none:pools=1:frame-threads=1:keyint=12:min-keyint=12:scenecut=0:" + parameters,
        ])
    }

    static let mpeg2 = Clip(
      testDescription: "MPEG-2", words: ["-c:v", "mpeg2video", "-bf", "0", "-g", "12"])
  }

  private static let clips = [
    Clip.h264("B pictures", "bframes=3:b-pyramid=normal:open-gop=0"),
    .h264("no B pictures", "bframes=0"), .hevc("bframes=3:open-gop=0"), .mpeg2,
  ]

  /// Which pictures keep their timestamp, in decode order.
  enum Pattern: CaseIterable {
    case everySecond, everyFifth, notTheLast, notTheFirst

    func keeps(_ number: Int) -> Bool {
      switch self {
      case .everySecond: number % 2 == 0
      case .everyFifth: number % 5 == 4
      case .notTheLast: number < 13
      case .notTheFirst: number > 2
      }
    }
  }

  private func stream(_ clip: Clip, _ folder: ScratchFolder) async throws -> [UInt8] {
    let path = folder.path(of: "whole.ts")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1"] + clip.words + [path])
    return try fileBytes(path)
  }

  private func write(
    _ stream: [UInt8], leavingOut pattern: Pattern, to folder: ScratchFolder
  ) throws -> String {
    var patched = PatchedStream(bytes: stream)
    patched.changeStamps(of: 0xE0...0xEF) { pattern.keeps($0) ? $1 : nil }
    let isPatched = patched.bytes != stream
    try #require(isPatched)
    return try folder.write(patched.bytes, to: "clip.ts")
  }

  private func probe(_ path: String, _ depth: RequestedDepth = .packets) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(path.utf8)),
      options: ProbeOptions(depth: depth, wantsKeyframes: true, wantsFrames: true))
  }

  private func expectSame(_ facts: MediaFacts, as whole: MediaFacts) {
    #expect(facts.tracks[0].shownFrames == whole.tracks[0].shownFrames)
    #expect(facts.tracks[0].keyframes == whole.tracks[0].keyframes)
    #expect(facts.durations.presented == whole.durations.presented)
    #expect(facts.damage.isEmpty)
  }

  @Test(arguments: clips)
  func `then each is shown at the same time as with all timestamps`(_ clip: Clip) async throws {
    let folder = try ScratchFolder()
    let bytes = try await stream(clip, folder)
    let whole = try probe(folder.path(of: "whole.ts"))
    #expect(whole.durations.presented?.length == MediaDuration(1))
    for pattern in Pattern.allCases {
      expectSame(try probe(write(bytes, leavingOut: pattern, to: folder)), as: whole)
    }
    let facts = try probe(write(bytes, leavingOut: .notTheLast, to: folder), .frames)
    #expect(facts.durations.decoded?.length == MediaDuration(1))
  }

  @Test func `when its clock is reset then each stretch has its own times`() async throws {
    let folder = try ScratchFolder()
    let bytes = try await stream(Self.clips[0], folder)
    let twice = try probe(folder.write(bytes + bytes, to: "twice.ts"))
    #expect(twice.durations.presented?.length == MediaDuration(2))
    let patched = try fileBytes(write(bytes, leavingOut: .everySecond, to: folder))
    expectSame(try probe(folder.write(patched + patched, to: "clip.ts")), as: twice)
  }

  /// Begins inside a GOP, and the next one is open.
  @Test(arguments: [
    Clip.h264("open groups", "bframes=3:open-gop=1"), .hevc("bframes=3:open-gop=1"),
  ])
  func `when it starts within a GOP then leading pictures of the first keyframe are not shown`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    var bytes = try await stream(clip, folder)
    let units = stride(from: 0, to: bytes.count, by: 188).filter {
      bytes[$0 + 1] == 0x41 && bytes[$0 + 2] == 0
    }
    let tables = 3 * 188
    bytes.removeSubrange(tables..<units[9])
    let whole = try probe(folder.write(bytes, to: "whole.ts"))
    let track = whole.tracks[0]
    #expect(try #require(track.frameCount) < #require(track.sampleCount))
    for pattern in Pattern.allCases {
      expectSame(try probe(write(bytes, leavingOut: pattern, to: folder)), as: whole)
    }
  }

  @Test(arguments: clips)
  func `when it is cut then the part has the same frames as with all timestamps`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let bytes = try await stream(clip, folder)
    let path = try write(bytes, leavingOut: .everyFifth, to: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(1)))
    let cuts = try [folder.path(of: "whole.ts"), path].map { source in
      let output = folder.path(of: "cut.mkv")
      _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(source.utf8))).cut(
        CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .matroska,
        replaces: true)
      return try fileBytes(output)
    }
    #expect(cuts[0] == cuts[1])
    let cut = try probe(folder.path(of: "cut.mkv"))
    #expect(cut.tracks[0].frameCount == 20)
  }

  @Test(arguments: ["mp4", "mov", "mkv", "ts"], [CutMode.smart, .reencode])
  func `when a single one has none then a cut is the same, in any container`(
    _ ending: String, _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let bytes = try await stream(Self.clips[0], folder)
    var patched = PatchedStream(bytes: bytes)
    patched.changeStamps(of: 0xE0...0xEF) { $0 == 4 ? nil : $1 }
    let path = try folder.write(patched.bytes, to: "clip.ts")
    let cuts = try [folder.path(of: "whole.ts"), path].map {
      try cut($0, mode, into: folder.path(of: "cut." + ending))
    }
    #expect(cuts[0] == cuts[1])
  }

  private func cut(
    _ path: String, _ mode: CutMode, into output: String
  ) throws -> [UInt8] {
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(1)))
    let order = CutOrder(
      CutRequest(range: range, mode: mode, verification: .full), to: Array(output.utf8),
      replaces: true)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(order)
    return try fileBytes(output)
  }

  /// As in a stream whose muxer put timestamps at other pictures.
  @Test func `when the stated ones contradict the coded order then that order decides`()
    async throws
  {
    let folder = try ScratchFolder()
    let bytes = try await stream(Self.clips[0], folder)
    let whole = try probe(folder.path(of: "whole.ts"))
    var stated: [Int: Int64] = [:]
    var patched = PatchedStream(bytes: bytes)
    patched.changeStamps(of: 0xE0...0xEF) {
      stated[$0] = stated[$0] ?? $1
      return $1
    }
    // The second is a P picture, which a B picture follows.
    let (reference, between) = (try #require(stated[14]), try #require(stated[13]))
    try #require(between != reference)
    var seen: Set<Int> = []
    patched.changeStamps(of: 0xE0...0xEF) { number, stamp in
      guard number != 4 else { return nil }
      guard seen.insert(number).inserted else { return stamp }
      return number == 13 ? reference : number == 14 ? between : stamp
    }
    let path = try folder.write(patched.bytes, to: "clip.ts")
    let facts = try probe(path)
    expectSame(facts, as: whole)
    #expect(facts.notes.contains { $0.id == .ptsContradictOrder })
    let cuts = try [folder.path(of: "whole.ts"), path].map {
      try cut($0, .reencode, into: folder.path(of: "cut.mp4"))
    }
    #expect(cuts[0] == cuts[1])
  }

  @Test(
    .enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)),
    arguments: ["mp4", "mkv", "ts"], [CutMode.smart, .reencode])
  func `when it is the reported one then it is cut`(
    _ ending: String, _ mode: CutMode
  ) throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut." + ending)
    _ = try cut(Cases.path("real/livepeer+lpms/skip_1.ts"), mode, into: output)
    #expect(try probe(output).tracks[0].frameCount == 25)
  }
}

/// PES packets of sound may omit their PTS as well (ISO/IEC 13818-1, 2.7.4).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given a transport stream in which some sound has no timestamp` {
  @Test(arguments: ["mka", "mp4", "ts", "wav"])
  func `when it is cut then the part is the same as with all timestamps`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let whole = try await CutNoise.make(["-c:a", "mp2"], seconds: "2", as: "whole.ts", in: folder)
    let bytes = try fileBytes(whole)
    var patched = PatchedStream(bytes: bytes)
    patched.changeStamps(of: 0xC0...0xDF) { $0 % 3 == 2 ? nil : $1 }
    try #require(patched.bytes != bytes)
    let path = try folder.write(patched.bytes, to: "clip.ts")
    let cuts = try [whole, path].enumerated().map { number, path in
      let output = folder.path(of: "\(number)." + ending)
      _ = try CutNoise.cut(path, MediaTime(1, 2), MediaTime(3, 2), into: output)
      return try fileBytes(output)
    }
    #expect(cuts[0] == cuts[1])
  }
}
