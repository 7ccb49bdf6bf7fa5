import ExactTime
import Foundation
import MediaFiles
import Probing
import Rendering
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.timeLimit(.minutes(3))) struct `Given the result of a cut that is laid out but not written`
{
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func clip(_ path: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static func range(_ from: Rational, _ to: Rational) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: MediaTime(seconds: from), to: MediaTime(seconds: to)))
  }

  private func order(_ request: CutRequest, as ending: String) throws -> CutOrder {
    CutOrder(request, to: Array(folder.path(of: "cut." + ending).utf8), replaces: true)
  }

  /// The bytes of all pieces in order.
  private static func bytes(_ layout: CutLayout, of path: String, _ made: PendingFile) throws
    -> [UInt8]
  {
    let source = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    var other = [UInt8](repeating: 0, count: Int(made.byteCount))
    let count = pread(made.descriptor, &other, other.count, 0)
    #expect(count == other.count)
    return layout.pieces.flatMap { piece in
      (piece.isMade ? other : source)[Int(piece.offset)..<Int(piece.offset + piece.count)]
    }
  }

  /// Compares the layout of an order with the file that it writes.
  private func judge(_ path: String, _ order: CutOrder) throws {
    let clip = try Self.clip(path)
    let made = try PendingFile(at: order.output, replacing: true, sparing: [])
    let layout = try #require(try clip.layout(clip.plan(order), made: made))
    let laid = try Self.bytes(layout, of: path, made)
    // From a newly opened clip, which has nothing cached.
    _ = try Self.clip(path).cut(order)
    let written = try [UInt8](
      Data(contentsOf: URL(fileURLWithPath: String(decoding: order.output, as: UTF8.self))))
    #expect(laid == written)
    // From the same clip, which encodes nothing again.
    let kept = try #require(clip.kept)
    let meter = WorkMeter(
      kept.plan, clip.source, isProven: false, isCancelled: { false }, report: { _ in true })
    #expect(try clip.assembled(kept.plan, meter) === kept)
    let report = try clip.cut(order)
    let again = try [UInt8](
      Data(contentsOf: URL(fileURLWithPath: String(decoding: order.output, as: UTF8.self))))
    #expect(again == written)
    #expect(layout.length == report.plan.length)
    #expect(layout.seams.allSatisfy { $0 > .zero && $0.seconds < layout.length.seconds })
    let track = try? PictureTrack(order.output)
    let frames = track.map { track in (0..<track.frameCount).map { track.frame(number: $0).start } }
    #expect(layout.frames == frames ?? [])
  }

  @Test(arguments: [
    "b-frames.mp4", "open-gop.mp4", "hevc.mp4", "ntsc.mp4", "vfr.mp4", "rotated.mp4",
    "fragmented.mp4",
    "late-start.mp4",
  ])
  func `then its bytes are those of the written file, and no edge is encoded twice`(
    _ name: String
  ) throws {
    let request = try CutRequest(range: Self.range(Rational(3, 5), Rational(9, 5)))
    try judge(SampleClips.path(name), order(request, as: "mp4"))
  }

  @Test func `when parts are joined, then it is laid out as one`() throws {
    var request = try CutRequest(range: Self.range(Rational(3, 5), Rational(6, 5)))
    request.join(try Self.range(Rational(1, 5), Rational(1)))
    try judge(SampleClips.path("b-frames.mp4"), order(request, as: "mp4"))
  }

  @Test func `when only audio is written, then it is laid out too`() throws {
    let request = try CutRequest(range: Self.range(Rational(1, 2), Rational(3, 2)))
    try judge(SampleClips.path("sound.m4a"), order(request, as: "m4a"))
  }

  @Test
  func `when there is a timecode tag, then the track that is made from it is laid out too`()
    async throws
  {
    let path = folder.path(of: "labelled.mp4")
    let run = try await ProgramRun(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3", "-c:v",
        "libx264", "-g", "25", "-pix_fmt", "yuv420p", "-metadata", "timecode=01:00:00:00",
        "-write_tmcd", "0", "-movflags", "use_metadata_tags", path,
      ].map { Array($0.utf8) })
    try #require(run.status == 0, "\(String(decoding: run.err, as: UTF8.self))")
    let order = try order(
      CutRequest(range: Self.range(Rational(3, 5), Rational(9, 5))), as: "mp4")
    try judge(path, order)
    let facts = try Prober().probe(.file(path: order.output))
    #expect(facts.tracks.contains { $0.timecode == "01:00:00:15" })
  }

  @Test func `when audio is not compressed, then its samples stay where they are`() async throws {
    let path = folder.path(of: "plain.mov")
    let run = try await ProgramRun(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3", "-f", "lavfi",
        "-i",
        "sine=r=48000:d=3", "-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p", "-c:a",
        "pcm_s16le",
        path,
      ].map { Array($0.utf8) })
    try #require(run.status == 0, "\(String(decoding: run.err, as: UTF8.self))")
    let request = try CutRequest(range: Self.range(Rational(3, 5), Rational(9, 5)))
    let order = try order(request, as: "mov")
    try judge(path, order)
    let made = try PendingFile(at: order.output, replacing: true, sparing: [])
    let clip = try Self.clip(path)
    let layout = try #require(try clip.layout(clip.plan(order), made: made))
    #expect(layout.pieces.filter { !$0.isMade }.reduce(0) { $0 + $1.count } > 48_000 * 2)
  }

  @Test(arguments: [("broadcast.ts", "mp4"), ("b-frames.mp4", "mkv"), ("chapters.mkv", "mkv")])
  func `when the result does not use the source's bytes as they are, then nothing is laid out`(
    _ name: String, _ ending: String
  ) throws {
    let order = try order(CutRequest(range: Self.range(Rational(1, 2), Rational(1))), as: ending)
    let made = try PendingFile(at: order.output, replacing: true, sparing: [])
    let clip = try Self.clip(SampleClips.path(name))
    #expect(try clip.layout(clip.plan(order), made: made) == nil)
  }
}
