import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1)))
struct `Given a table of times that was changed behind a keyframe` {
  /// Composition offsets of two days from sample 60 on.
  private static func damaged() throws -> [UInt8] {
    var bytes = try SampleFilms.bytes("open-gop.mp4")
    let table = try #require(bytes.firstRange(of: Array("ctts".utf8))).upperBound + 4
    let count = bytes[table..<table + 4].reduce(0) { $0 << 8 | Int($1) }
    for entry in 60..<count { bytes[table + 4 + 8 * entry + 4] = 0x79 }
    return bytes
  }

  private static func cut(to end: MediaTime) throws -> CutReport {
    let folder = try ScratchFolder()
    let path = try folder.write(damaged(), to: "damaged.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(8, 5), to: end))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.mp4").utf8)))
  }

  @Test func `when the part ends where no frame follows then the source is to blame`() throws {
    let error = #expect(throws: CutError.self) { try Self.cut(to: MediaTime(4)) }
    #expect(error?.code == .damaged)
    #expect(error?.times != nil)
  }

  @Test func `when it ends before that then it is cut`() throws {
    #expect(try Self.cut(to: MediaTime(239, 100)).plan.written.length == MediaDuration(79, 100))
  }
}
