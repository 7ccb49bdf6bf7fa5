import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio with packets that do not decode` {
  /// Packets of ALAC decode alone, and to the same samples always.
  private static func clips(in folder: ScratchFolder) async throws -> (
    intact: String, broken: String
  ) {
    let path = folder.path(of: "intact.m4a")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.4", "-c:a", "alac",
      path,
    ])
    var bytes = try fileBytes(path)
    let data = try #require(bytes.firstRange(of: Array("mdat".utf8))).upperBound
    let length = bytes.count - data
    for place in data + length * 40 / 100..<data + length * 55 / 100 { bytes[place] = 0xFF }
    return (path, try folder.write(bytes, to: "broken.m4a"))
  }

  private static func cut(
    _ path: String, _ request: CutRequest, to output: String
  ) throws -> CutReport {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(request, to: Array(output.utf8)))
  }

  private static func range(_ from: MediaTime, _ to: MediaTime) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: from, to: to))
  }

  private static func samples(_ path: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out)
  }

  @Test func `when it is decoded then silence takes their place, and all else is in its place`()
    async throws
  {
    let folder = try ScratchFolder()
    let clips = try await Self.clips(in: folder)
    let request = CutRequest(range: try Self.range(MediaTime(1, 2), MediaTime(5, 2)))
    let (one, other) = (folder.path(of: "one.wav"), folder.path(of: "other.wav"))
    let report = try Self.cut(clips.broken, request, to: one)
    let clean = try Self.cut(clips.intact, request, to: other)
    #expect(report.plan.written.length == MediaDuration(2))
    let damage = try #require(report.examination?.damage)
    #expect(!damage.isEmpty && damage.allSatisfy(\.isSilenced))
    let first = try #require(damage.first)
    #expect(try first.source.start.moved(back: MediaDuration(1, 2)) == first.output.start)
    #expect(clean.examination?.damage.isEmpty == true)
    let (heard, whole) = (try await Self.samples(one), try await Self.samples(other))
    #expect(heard.count == 96_000)
    let last = try #require(damage.last)
    let start = Int(try first.output.start.seconds.multiplied(by: Rational(48_000)).rounded(.up))
    let end = Int(try last.output.end.seconds.multiplied(by: Rational(48_000)).rounded(.up))
    #expect(end - start >= 4096)
    #expect(heard[start..<end].allSatisfy { $0 == 0 })
    #expect(heard[..<start] == whole[..<start])
    #expect(heard[end...] == whole[end...])
  }

  @Test func `when parts are joined then the times are those of the output`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clips(in: folder).broken
    let parts = [
      try Self.range(MediaTime(1, 4), MediaTime(1, 2)),
      try Self.range(MediaTime(1), MediaTime(5, 2)),
    ]
    var request = CutRequest(range: parts[0])
    request.join(parts[1])
    let report = try Self.cut(path, request, to: folder.path(of: "cut.mka"))
    #expect(report.plan.written.length == MediaDuration(7, 4))
    let first = try #require(report.examination?.damage.first)
    #expect(first.isSilenced)
    #expect(try first.source.start.moved(back: MediaDuration(3, 4)) == first.output.start)
  }

  @Test func `when nothing in the range decodes then it is silent`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clips(in: folder).broken
    let output = folder.path(of: "cut.wav")
    let request = CutRequest(range: try Self.range(MediaTime(135, 100), MediaTime(145, 100)))
    let report = try Self.cut(path, request, to: output)
    let damage = try #require(report.examination?.damage)
    #expect(!damage.isEmpty && damage.allSatisfy(\.isSilenced))
    #expect(try await Self.samples(output) == Array(repeating: 0, count: 4800))
  }

  @Test func `when the file is not verified then what was replaced is listed all the same`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clips(in: folder).broken
    let range = try Self.range(MediaTime(1, 2), MediaTime(5, 2))
    let reports = try [CutRequest.Verification.none, .full].map { verification in
      try Self.cut(
        path, CutRequest(range: range, verification: verification),
        to: folder.path(of: "\(verification).wav"))
    }
    #expect(reports[0].examination == nil)
    #expect(!reports[0].damage.isEmpty && reports[0].damage.allSatisfy(\.isSilenced))
    #expect(reports[0].damage == reports[1].damage)
  }

  @Test func `when damage is rejected then it is refused`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clips(in: folder).broken
    var request = CutRequest(range: try Self.range(MediaTime(1, 2), MediaTime(5, 2)))
    request.rejectsDamage = true
    let error = #expect(throws: MediaError.self) {
      try Self.cut(path, request, to: folder.path(of: "cut.wav"))
    }
    #expect(error?.code == .damaged)
    #expect(error?.hint?.contains("accept the damage") == true)
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC in a transport stream from which packets were lost` {
  private static func cut(_ path: String, _ request: CutRequest, to output: String) throws
    -> CutReport
  {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(request, to: Array(output.utf8)))
  }

  private static func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "whole.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.4", "-c:a", "aac", path,
    ])
    var bytes = try fileBytes(path)
    let places = stride(from: 0, to: bytes.count - 187, by: 188).filter {
      Int(bytes[$0 + 1] & 0x5F) << 8 | Int(bytes[$0 + 2]) == 0x100
    }
    let lost = places[places.count / 2]
    bytes.removeSubrange(lost..<lost + 2 * 188)
    return try folder.write(bytes, to: "lost.ts")
  }

  private static func range(_ from: Int64, _ to: Int64) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: MediaTime(from, 10), to: MediaTime(to, 10)))
  }

  @Test(arguments: ["mka", "ts"])
  func `then a part is copied and parts are joined, and the damage is listed`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let one = try Self.cut(
      path, CutRequest(range: try Self.range(5, 25)), to: folder.path(of: "one." + ending))
    #expect(one.examination?.damage.isEmpty == false)
    let parts = [try Self.range(2, 4), try Self.range(8, 25)]
    var request = CutRequest(range: parts[0])
    request.join(parts[1])
    let joined = try Self.cut(path, request, to: folder.path(of: "joined." + ending))
    #expect(joined.examination?.damage.isEmpty == false)
  }

  @Test(.enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)))
  func `when it is the reported one then a part goes into Matroska`() throws {
    let folder = try ScratchFolder()
    let report = try Self.cut(
      Cases.path("damaged-audio-join/aac.ts"), CutRequest(range: try Self.range(33, 90)),
      to: folder.path(of: "cut.mkv"))
    #expect(report.examination?.damage.first?.type == .audio)
  }
}
