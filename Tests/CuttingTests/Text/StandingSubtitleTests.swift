import ExactTime
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

/// Blu-ray subtitles do not state a duration: they stay until others replace them, or until they
/// are removed.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given subtitles that stay until the next ones` {
  private static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ((bytes - 1 - $0) * 8)) }
  }

  /// A segment as in a subtitle-only file.
  private static func segment(_ type: UInt8, at seconds: Int, _ payload: [UInt8]) -> [UInt8] {
    Array("PG".utf8) + number(seconds * 90_000, bytes: 4) + number(0, bytes: 4) + [type]
      + number(payload.count, bytes: 2) + payload
  }

  /// A composition with a number of objects, with windows and an end.
  private static func composition(
    _ number: Int, at seconds: Int, state: UInt8, objects: Int
  ) -> [UInt8] {
    var payload = Self.number(320, bytes: 2) + Self.number(192, bytes: 2) + [0x10]
    payload += Self.number(number, bytes: 2) + [state, 0, 0, UInt8(objects)]
    for object in 0..<objects { payload += Self.number(object, bytes: 2) + [0, 0, 0, 20, 0, 20] }
    return segment(0x16, at: seconds, payload)
      + segment(0x17, at: seconds, [1, 0, 0, 20, 0, 20, 0, 16, 0, 8])
      + segment(0x80, at: seconds, [])
  }

  /// Shown from 0 s, changed at 1 s, removed at 2 s, and shown again from 3 s on.
  private static func clip(
    in folder: ScratchFolder, as ending: String = "mkv"
  ) async throws -> String {
    try folder.write(
      composition(0, at: 0, state: 0x80, objects: 1) + composition(1, at: 1, state: 0, objects: 2)
        + composition(2, at: 2, state: 0, objects: 0)
        + composition(3, at: 3, state: 0x40, objects: 1), to: "a.sup")
    let path = folder.path(of: "clip." + ending)
    let words = [
      "-v", "error", "-i", try await EncodedClip.named("H.264, open groups").make(in: folder), "-i",
      folder.path(of: "a.sup"), "-map", "0", "-map", "1", "-c", "copy",
    ]
    let mode = ending == "m2ts" ? ["-mpegts_m2ts_mode", "1"] : []
    _ = try await EncodedClip.ffmpeg(words + mode + [path])
    return path
  }

  /// The composition that it changes was shown before IN.
  @Test(arguments: [(30..<60, []), (10..<45, [1, 2]), (75..<90, [1])] as [(Range<Int64>, [Int])])
  func `when nothing from outside may be kept then a change that needs it is left out`(
    _ part: Range<Int64>, _ objects: [Int]
  ) async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mkv")
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await Self.clip(in: folder).utf8)))
    let range = try #require(
      MediaTimeRange(from: MediaTime(part.lowerBound, 25), to: MediaTime(part.upperBound, 25)))
    var request = CutRequest(range: range)
    request.isStrict = true
    _ = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(try Self.objects(of: written) == objects)
  }

  private static func objects(of clip: OpenedFile) throws -> [Int] {
    let places = clip.source.tracks[1].coded.packets.indices
    try clip.source.prepare([1: [places]])
    return try places.map { Int(try clip.source.bytes(ofTrack: 1, $0)[13]) }
  }

  /// Where packets of the source are in the cut, in frames of 40 ms.
  struct Case: CustomTestStringConvertible, Sendable {
    let range: Range<Int64>
    let objects: [Int]
    let starts: [Int64]
    let last: Int64
    var testDescription: String { "frames \(range)" }
  }

  @Test(arguments: [
    // One that is on screen at IN.
    Case(range: 10..<20, objects: [1], starts: [0], last: 10),
    // A change is on screen at IN, which needs the composition that it changes.
    Case(range: 30..<60, objects: [1, 2, 0], starts: [0, 0, 20], last: 0),
    // Nothing is on the screen.
    Case(range: 55..<70, objects: [], starts: [], last: 0),
    Case(range: 55..<80, objects: [1], starts: [20], last: 5),
    // The last ones stay until the end.
    Case(range: 80..<90, objects: [1], starts: [0], last: 10),
  ])
  func `then those on screen at IN begin there, and the last end with the range`(
    _ it: Case
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let output = folder.path(of: "cut.mkv")
    let range = try #require(
      MediaTimeRange(
        from: MediaTime(it.range.lowerBound, 25), to: MediaTime(it.range.upperBound, 25)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))

    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let track = written.source.tracks[1].coded
    #expect(try Self.objects(of: written) == it.objects)
    #expect(track.packets.map(\.pts) == it.starts.map { $0 * 40 })
    #expect(track.packets.last.map(\.duration) ?? 0 == it.last * 40)
  }

  /// There, each segment is a packet.
  @Test func `when a transport stream has segments in separate packets then they are put together`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder, as: "m2ts")
    let output = folder.path(of: "cut.mkv")
    let range = try #require(MediaTimeRange(from: MediaTime(30, 25), to: MediaTime(60, 25)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(try Self.objects(of: written) == [1, 2, 0])
  }

  @Test func `then a composition shows if decoding can start there, and if it is empty`() throws {
    let bytes = Self.composition(7, at: 0, state: 0x40, objects: 1).dropFirst(10)
    let composition = try #require(PresentationComposition(bytes))
    #expect(composition.isComplete)
    #expect(!composition.isEmpty)
    let next = Self.composition(8, at: 0, state: 0xC0, objects: 0).dropFirst(10)
    #expect(PresentationComposition(next)?.isComplete == false)
    #expect(PresentationComposition(next)?.isEmpty == true)
    #expect(PresentationComposition(next.prefix(13)) == nil)
    #expect(PresentationComposition(next.dropFirst(14)) == nil)
  }
}
