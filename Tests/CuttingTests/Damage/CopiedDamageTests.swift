import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given a file with damage in the copied packets` {
  /// The damage done to one packet of a file, and what reveals it.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var words: [String]
    var ending: String
    var kind: TrackKind = .video
    var expected: Set<CutDamage.Kind> = [.decoding, .structure, .header, .checksum]

    static func sound(
      _ name: String, _ words: [String], _ ending: String, _ expected: Set<CutDamage.Kind>
    ) -> Case {
      Case(
        testDescription: name, words: ["-vn"] + words, ending: ending, kind: .audio,
        expected: expected)
    }
  }

  private static let x264 = ["-c:v", "libx264", "-g", "12", "-bf", "2", "-preset", "fast"]

  static let cases: [Case] = [
    Case(testDescription: "H.264 in MP4", words: x264 + ["-an"], ending: "mp4"),
    Case(testDescription: "H.264 in Matroska", words: x264 + ["-an"], ending: "mkv"),
    Case(
      testDescription: "HEVC in MP4",
      words: [
        "-c:v", "libx265", "-preset", "veryfast", "-x265-params",
        "log-level=none:keyint=12:open-gop=0", "-an",
      ],
      ending: "mp4"),
    Case(
      testDescription: "MPEG-2 in a transport stream",
      words: ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "3", "-an"], ending: "ts"),
    Case(
      testDescription: "MPEG-4 in MP4", words: ["-c:v", "mpeg4", "-g", "12", "-q:v", "3", "-an"],
      ending: "mp4"),
    Case(
      testDescription: "VP9 in WebM",
      words: ["-c:v", "libvpx-vp9", "-g", "12", "-deadline", "realtime", "-cpu-used", "8", "-an"],
      ending: "webm"),
    .sound("AAC in MP4", ["-c:a", "aac"], "m4a", [.decoding, .header]),
    .sound("FLAC", ["-c:a", "flac"], "flac", [.checksum]),
    .sound("AC-3 in Matroska", ["-c:a", "ac3"], "mkv", [.checksum]),
    .sound("MP3", ["-c:a", "libmp3lame"], "mp3", [.decoding, .header, .structure]),
  ]

  private static func clip(_ one: Case, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip." + one.ending)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f",
        "lavfi", "-i", "anoisesrc=r=48000:d=4:a=0.3:c=pink:seed=3", "-pix_fmt", "yuv420p",
      ] + one.words + [path])
    return path
  }

  /// Overwrites bytes of a packet in the middle, trying packets and places in turn, until FFmpeg's
  /// own decoder reports an error: many codecs decode nearly anything.
  private static func damage(
    _ path: String, _ one: Case, in folder: ScratchFolder
  ) async throws -> (path: String, time: MediaTime) {
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    let track = try #require(source.tracks.firstIndex { $0.facts.kind == one.kind })
    let coded = source.tracks[track].coded
    // Keyframes first, which are large.
    let long = (coded.packets.count / 2..<coded.packets.count * 3 / 4).filter {
      coded.packets[$0].byteCount > 60
    }
    let places =
      long.filter { coded.packets[$0].isKey } + long.filter { !coded.packets[$0].isKey }
    let whole = try fileBytes(path)
    var random = SeededGenerator(seed: 5)
    for chosen in places.prefix(24) {
      try source.prepare([track: [chosen..<chosen + 1]])
      let packet = try source.bytes(ofTrack: track, chosen)
      for begin in [packet.count / 3, packet.count / 2, 8, 4, 1] {
        // A container may interrupt the bytes of a packet.
        let piece = packet[begin..<min(packet.count, begin + 40)]
        guard let start = whole.firstRange(of: piece)?.lowerBound,
          whole[(start + 1)...].firstRange(of: piece) == nil
        else { continue }
        var bytes = whole
        for place in start..<start + piece.count {
          bytes[place] ^= UInt8.random(in: 1 ... .max, using: &random)
        }
        let damaged = try folder.write(bytes, to: "damaged." + one.ending)
        guard try await isFaulty(damaged, losesNone: promisesPictures(of: coded.codec)) else {
          continue
        }
        return (damaged, try coded.time(atTick: coded.packets[chosen].pts))
      }
    }
    throw EncodedClip.Failed(text: "no damage shows in \(one.testDescription)")
  }

  /// Whether a lost picture makes a cut of this codec fail, so that no damage is listed.
  private static func promisesPictures(of codec: Codec) -> Bool {
    ["h264", "hevc"].contains(codec)
  }

  /// Whether an independent decoder reports errors; if asked, only of a file that still gives all
  /// its pictures.
  private static func isFaulty(_ path: String, losesNone: Bool) async throws -> Bool {
    let words = [
      "ffmpeg", "-nostdin", "-v", "error", "-err_detect", "crccheck", "-i", path, "-fps_mode",
      "passthrough", "-f", "framemd5", "-",
    ]
    let run = try await ProgramRun(words.map { Array($0.utf8) }, limit: .seconds(60))
    let frames = run.outText.split(separator: "\n").count { !$0.hasPrefix("#") }
    return !run.errText.isEmpty && (!losesNone || frames == 100)
  }

  private static func range(_ from: Int64, _ to: Int64) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: MediaTime(from, 100), to: MediaTime(to, 100)))
  }

  @Test func `when audio is re-encoded and damage is rejected then the damaged times are listed`()
    async throws
  {
    let folder = try ScratchFolder()
    let one = try #require(Self.cases.first { $0.testDescription == "AAC in MP4" })
    let intact = try await Self.clip(one, in: folder)
    let (path, time) = try await Self.damage(intact, one, in: folder)
    var request = CutRequest(range: try Self.range(40, 340))
    request.audio = .reencode
    request.rejectsDamage = true
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(request, to: Array(folder.path(of: "cut.m4a").utf8), as: .m4a)
    }
    #expect(error?.code == .damaged)
    let times = try #require(error?.times)
    // A decoder may report the next packet instead.
    let latest = try time.advanced(by: MediaDuration(1, 20))
    #expect(times.start <= latest && times.end >= time)
  }

  @Test(arguments: Sample.of(cases, 3)) func `when it is cut then the damage is listed`(_ one: Case)
    async throws
  {
    let folder = try ScratchFolder()
    let intact = try await Self.clip(one, in: folder)
    let (path, time) = try await Self.damage(intact, one, in: folder)
    let container = try #require(OutputContainer(nameEnding: one.ending))
    let output = folder.path(of: "cut." + one.ending)
    var request = CutRequest(range: try Self.range(48, 384))
    // An intact file has none.
    let whole = try FileCutter(isCancelled: { false }).open(.file(path: Array(intact.utf8)))
    let clean = try whole.cut(request, to: Array(output.utf8), as: container, replaces: true)
    #expect(clean.examination?.damage == [])

    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try clip.cut(request, to: Array(output.utf8), as: container, replaces: true)
    let damage = try #require(report.examination?.damage)
    let near = try time.moved(back: MediaDuration(1, 10))
    #expect(damage.contains { one.expected.contains($0.kind) }, "\(damage)")
    #expect(damage.contains { $0.source.end > near && $0.source.start <= time }, "\(damage)")
    #expect(damage.allSatisfy { $0.type == one.kind && !$0.text.isEmpty })

    // The same, where damage is rejected.
    request.rejectsDamage = true
    let refused = folder.path(of: "refused." + one.ending)
    let error = #expect(throws: MediaError.self) {
      try clip.cut(request, to: Array(refused.utf8), as: container)
    }
    #expect(error?.code == .damaged)
    #expect(error?.times != nil)
    #expect((try? fileBytes(refused)) == nil)
  }

  @Test func `when not all is decoded then no damage is listed, but what was not decoded is`()
    async throws
  {
    let folder = try ScratchFolder()
    let one = Self.cases[0]
    let (path, _) = try await Self.damage(
      try await Self.clip(one, in: folder), one, in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = Array(folder.path(of: "cut.mp4").utf8)
    var request = CutRequest(range: try Self.range(48, 384), verification: .written)
    let report = try clip.cut(request, to: output, as: .mp4)
    let examination = try #require(report.examination)
    #expect(examination.damage == [])
    let track = try #require(examination.tracks.first)
    #expect(track.decoded < track.packets)
    #expect(!track.notDecoded.isEmpty)
    request.verification = .full
    let full = try clip.cut(request, to: output, as: .mp4, replaces: true)
    #expect(full.examination?.tracks.first.map { $0.decoded == $0.packets } == true)
    #expect(full.examination?.damage.isEmpty == false)
  }

  @Test func `when a planned frame is missing then the cut is refused, with the place`()
    async throws
  {
    let folder = try ScratchFolder()
    let intact = try await Self.clip(Self.cases[0], in: folder)
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(intact.utf8))).source
    let coded = source.tracks[0].coded
    let place = 50
    let packet = try source.bytes(ofTrack: 0, place)
    var bytes = try fileBytes(intact)
    let start = try #require(bytes.firstRange(of: packet)?.lowerBound)
    // A NAL unit length of two gigabytes.
    bytes[start] = 0x7F
    let path = try folder.write(bytes, to: "damaged.mp4")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(range: try Self.range(48, 384))
    let output = Array(folder.path(of: "cut.mp4").utf8)
    let error = #expect(throws: MediaError.self) { try clip.cut(request, to: output, as: .mp4) }
    #expect(error?.code == .damaged)
    let time = try coded.time(atTick: coded.packets[place].pts)
    #expect(error?.times?.contains(time) == true)
    // Copying whole GOPs does not promise pictures.
    request.mode = .copy
    let report = try clip.cut(request, to: output, as: .mp4)
    #expect(report.examination?.damage.isEmpty == false)
  }
}
