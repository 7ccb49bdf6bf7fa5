import ExactTime
import MediaFacts
import Probing
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

/// ISO/IEC 13818-1, 2.5: of several pictures that begin in a PES packet only the first has a timestamp.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a cut into a program stream` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var words: [String]
  }

  /// Pictures of a few hundred bytes, of which FFmpeg's muxer puts several into a pack.
  static let clips = [
    Clip(testDescription: "MPEG-2 with B pictures", words: ["-c:v", "mpeg2video", "-bf", "2"]),
    Clip(testDescription: "MPEG-2 without", words: ["-c:v", "mpeg2video", "-bf", "0"]),
    Clip(testDescription: "MPEG-1 with B pictures", words: ["-c:v", "mpeg1video", "-bf", "2"]),
    Clip(testDescription: "MPEG-1 without", words: ["-c:v", "mpeg1video", "-bf", "0"]),
  ]

  /// Four seconds; the second sound is AC-3, which comes first where a part begins with its packet.
  private static func make(_ clip: Clip, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mpg")
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "quiet", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f",
        "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-map", "0:v", "-map", "1:a", "-map",
        "1:a", "-g", "12", "-q:v", "20", "-c:a:0", "mp2", "-c:a:1", "ac3",
      ] + clip.words + ["-f", "vob", path])
    return path
  }

  private static func cut(
    _ path: String, _ parts: [MediaTimeRange], to output: String
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(range: try #require(parts.first), verification: .full)
    for part in parts.dropFirst() { request.join(part) }
    return try clip.cut(CutOrder(request, to: Array(output.utf8)))
  }

  private static func part(_ from: MediaTime, _ to: MediaTime) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: from, to: to))
  }

  @Test(arguments: clips)
  func `then each picture and each audio packet begins a PES packet with its timestamp`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(clip, in: folder)
    // Within pictures, so that the first of each part is shown for less time.
    let parts = [
      try Self.part(MediaTime(1013, 1000), MediaTime(1787, 1000)),
      try Self.part(MediaTime(2417, 1000), MediaTime(3555, 1000)),
    ]
    let output = folder.path(of: "cut.mpg")
    let report = try Self.cut(path, parts, to: output)
    let packs = try Pack.all(of: try fileBytes(output))
    #expect(packs.count { $0.id == 0xE0 && $0.pts != nil } == report.plan.frames)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    for (id, codec) in [(UInt8(0xC0), "mp2"), (0xBD, "ac3")] {
      let track = try #require(written.source.tracks.first { $0.facts.codec == Codec(codec) })
      #expect(packs.count { $0.id == id && $0.pts != nil } == track.coded.packets.count)
    }
    let cut = try await EncodedClip.pictures(of: output)
    #expect(cut.count == report.plan.frames)
  }

  @Test(arguments: clips, [10, 23, 41] as [Int64])
  func `then it has the frames of the range`(_ clip: Clip, _ first: Int64) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(clip, in: folder)
    let output = folder.path(of: "cut.vob")
    let opened = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(opened.frameStarts)
    let range = try Self.part(
      starts.start(ofFrame: first), starts.start(ofFrame: first + 45))
    _ = try Self.cut(path, [range], to: output)
    let source = try await EncodedClip.pictures(of: path)
    let cut = try await EncodedClip.pictures(of: output)
    #expect(cut.count == 45)
    let places = cut.map { source.firstIndex(of: $0) }
    // Those of the edges are re-encoded.
    #expect(places.count { $0 != nil } >= 12)
    let wrong = places.enumerated().contains { ($1 ?? Int(first) + $0) != Int(first) + $0 }
    #expect(!wrong)
  }

  @Test(arguments: clips)
  func `then all data arrives before it is decoded, and less than a second before`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(clip, in: folder)
    let output = folder.path(of: "cut.mpg")
    _ = try Self.cut(path, [try Self.part(MediaTime(1), MediaTime(3))], to: output)
    let bytes = try fileBytes(output)
    let packs = try Pack.all(of: bytes)
    let rate = try #require(packs.first?.rate)
    var due: [UInt8: Int64] = [:]
    var before: Int64 = 0
    for pack in packs {
      #expect(pack.byteCount <= 2048)
      #expect(pack.clock >= before)
      if let dts = pack.dts { due[pack.id] = dts * 300 }
      let arrived = pack.clock + Int64(pack.byteCount) * 27_000_000 / (rate * 50)
      let decoded = try #require(due[pack.id])
      #expect(arrived <= decoded)
      #expect(decoded - pack.clock <= 27_000_000)
      before = arrived
    }
    // MPEG_program_end_code.
    #expect(bytes.suffix(4) == [0, 0, 1, 0xB9])
  }

  /// Slides of two seconds, each decoded at least that long before it is shown.
  @Test(arguments: ["mpg", "ts"])
  func `when pictures are held for seconds then none is decoded before the first clock reference`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mkv"), folder.path(of: "cut." + ending))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=24", "-f", "lavfi",
      "-i", "sine=r=48000:d=24", "-vf", "select=not(mod(n\\,50))", "-fps_mode", "passthrough",
      "-c:v", "mpeg2video", "-bf", "2", "-g", "6", "-c:a", "mp2", path,
    ])
    let report = try Self.cut(path, [try Self.part(MediaTime(1), MediaTime(21))], to: output)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(!facts.notes.contains { $0.id == .negativeDTS })
    #expect(try await EncodedClip.pictures(of: output).count == report.plan.frames)
    guard ending == "mpg" else { return }
    let packs = try Pack.all(of: try fileBytes(output))
    #expect(packs.allSatisfy { ($0.dts ?? 0) < 1 << 31 })
    // A clock reference comes every 0.7 s (ISO/IEC 13818-1, 2.7.1), if need be in an empty pack.
    let distances = zip(packs, packs.dropFirst()).map { $1.clock - $0.clock }
    #expect(distances.allSatisfy { (0...18_900_000).contains($0) })
  }

  /// FFmpeg takes MPEG audio listed in the map for layer III until it has read several packets.
  @Test func `when there is a single audio packet then its layer is known`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(Self.clips[0], in: folder)
    let output = folder.path(of: "cut.mpg")
    _ = try Self.cut(path, [try Self.part(MediaTime(1), MediaTime(26, 25))], to: output)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.map(\.codec.rawValue).sorted() == ["ac3", "mp2", "mpeg2video"])
  }

  @Test func `when there are nine tracks of AC-3 then the plan drops the last`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=1"]
        + (0..<9).flatMap { _ in ["-map", "0"] } + ["-c:a", "ac3", path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let request = CutRequest(range: try Self.part(.zero, MediaTime(1, 2)))
    let dropped = try clip.plan(request, for: .mpegps).tracks.map(\.dropped)
    #expect(dropped == Array(repeating: nil, count: 8) + [".mpg holds at most 8 tracks of ac3"])
    let output = Array(folder.path(of: "cut.mpg").utf8)
    _ = try clip.cut(CutOrder(request, to: output))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: output))
    #expect(written.source.tracks.count == 8)
  }

  @Test func `when more become MP2 than there are stream IDs then the plan says so, too`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mka")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=0.3"]
        + (0..<33).flatMap { _ in ["-map", "0"] } + ["-c:a", "pcm_s16le", path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(range: try Self.part(.zero, MediaTime(1, 4)))
    request.audio = .reencode
    let tracks = try clip.plan(request, for: .mpegps).tracks
    #expect(tracks.count { $0.dropped == nil } == 32)
    #expect(tracks.compactMap(\.dropped) == [".mpg holds at most 32 tracks of mp2"])
  }

  @Test func `when there is a burst of bytes then the mux rate is that of the burst`() {
    let packet = { (dts: Int64, size: Int) in
      ProgramSchedule.Packet(stream: 0, dts: dts, byteCount: size)
    }
    let calm = ProgramSchedule((0..<50).map { packet($0 * 3600, 20_000) }, streamCount: 1)
    #expect(calm.rate == ProgramSchedule.usualRate)
    let burst = ProgramSchedule(
      (0..<50).map { packet($0 * 3600, $0 == 25 ? 4_000_000 : 20_000) }, streamCount: 1)
    // 4.34 MB within 0.7 s, and their headers.
    #expect((124_000...130_000).contains(burst.rate))
    #expect((4_000_000...4_600_000).contains(burst.bufferByteCounts[0]))
  }

  @Test func `when a codec has no stream ID left then it does not fit`() throws {
    var streams: [ProgramStream] = []
    for number in 0..<8 {
      let stream = try #require(
        ProgramStream(codec: "ac3", kind: .audio, behind: streams))
      #expect(stream.privateID == 0x80 + UInt8(number))
      streams.append(stream)
    }
    #expect(ProgramStream(codec: "ac3", kind: .audio, behind: streams) == nil)
    let other = ProgramStream(codec: "dts", kind: .audio, behind: streams)
    #expect(other?.privateID == 0x88)
    #expect(ProgramStream(codec: "aac", kind: .audio, behind: []) == nil)
  }
}

/// A pack, parsed byte by byte as the standard defines it.
private struct Pack {
  var clock: Int64
  var rate: Int64
  var id: UInt8
  var pts: Int64?
  var dts: Int64?
  var byteCount: Int

  static func all(of bytes: [UInt8]) throws -> [Pack] {
    var packs: [Pack] = []
    var place = 0
    while place + 4 < bytes.count {
      var reader = BitReader(bytes[place...])
      let begin = [reader.read(32), reader.read(2)]
      try #require(begin == [0x1BA, 1])
      let base = number(&reader)
      let rest = reader.read(9) ?? 0
      _ = reader.read(1)
      let clock = Int64(base) * 300 + Int64(rest)
      let rate = Int64(reader.read(22) ?? 0)
      var pack = Pack(clock: clock, rate: rate, id: 0, byteCount: 0)
      var next = place + 14
      // An empty pack.
      if bytes[next + 3] == 0xBA {
        packs.append(Pack(clock: clock, rate: rate, id: 0, byteCount: 14))
        place = next
        continue
      }
      if bytes[next + 3] == 0xBB {
        next += 6 + length(bytes, next)
        let map = bytes[next..<next + 6 + length(bytes, next)]
        #expect(map.starts(with: [0, 0, 1, 0xBC]))
        // A CRC over data with its own CRC is zero.
        #expect(Checksum.crc32(map, from: .max) == 0)
        place = next + map.count
        continue
      }
      pack.id = bytes[next + 3]
      let flags = bytes[next + 7] >> 6
      var times = BitReader(bytes[(next + 9)...])
      if flags >= 2 {
        _ = times.read(4)
        pack.pts = Int64(number(&times))
        pack.dts = pack.pts
      }
      if flags == 3 {
        _ = times.read(4)
        pack.dts = Int64(number(&times))
      }
      next += 6 + length(bytes, next)
      pack.byteCount = next - place
      place = next
      packs.append(pack)
    }
    return packs
  }

  private static func length(_ bytes: [UInt8], _ place: Int) -> Int {
    Int(bytes[place + 4]) << 8 | Int(bytes[place + 5])
  }

  /// 33 bits in three pieces with a marker bit after each.
  private static func number(_ reader: inout BitReader) -> UInt64 {
    var value: UInt64 = 0
    for bits in [3, 15, 15] {
      value = value << UInt64(bits) | UInt64(reader.read(bits) ?? 0)
      _ = reader.read(1)
    }
    return value
  }
}
