import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Pages identify pictures by number, counted from 1 since version 3.2.1, and before that from 0; a
/// skeleton states the number with which a stream begins (Ogg Skeleton 3).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Theora 3.2.0 in Ogg with a skeleton` {
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.ogv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=1", "-c:v",
      "libtheora", "-g", "10", "-page_duration", "1", path,
    ])
    var clip = OggPages(try fileBytes(path))
    let header = clip.pages[0].body
    // Theora specification, 6.2: VREV, and KFGSHIFT, the bits of a position that count from a keyframe.
    clip.pages[0].bytes[header + 9] = 0
    let (high, low) = (clip.pages[0].bytes[header + 40], clip.pages[0].bytes[header + 41])
    let shift = Int64(high & 3) << 3 | Int64(low >> 5)
    for page in clip.pages.indices where clip.pages[page].granule > 0 {
      clip.pages[page].granule -= 1 << shift
    }
    func number(_ value: Int64, bytes: Int64 = 8) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let serial: [UInt8] = [7, 7, 7, 7]
    let head =
      Array("fishead".utf8) + [0, 3, 0, 0, 0]
      + [0, 1000, 0, 1000].flatMap { number($0) } + number(0, bytes: 20)
    var bone = Array("fisbone".utf8) + [0] + number(44, bytes: 4) + clip.pages[0].serial
    bone += number(3, bytes: 4) + [25, 1, 0].flatMap { number($0) }
    bone += number(0, bytes: 4) + [UInt8(shift), 0, 0, 0]
    clip.pages.insert(
      contentsOf: [
        OggPages.Page(flags: 0, serial: serial, number: 1, packet: bone),
        OggPages.Page(flags: 4, serial: serial, number: 2, packet: []),
      ], at: 2)
    clip.pages.insert(OggPages.Page(flags: 2, serial: serial, number: 0, packet: head), at: 0)
    return try folder.write(clip.file, to: "early.ogv")
  }

  @Test func `when it is probed then every frame has its own time`() async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let presented = try #require(facts.tracks.first { $0.kind == .video }?.durations.presented)
    #expect(presented.start == .zero)
    #expect(presented.length == MediaDuration(1))
  }

  @Test func `when the range is within the first frame then that frame is shown`() async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let range = try #require(
      MediaTimeRange(from: MediaTime(1, 500), to: MediaTime(16, 1000)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try clip.cut(
      CutOrder(
        CutRequest(range: range, verification: .full),
        to: Array(folder.path(of: "cut.mkv").utf8)))
    #expect(report.plan.frames == 1)
  }
}
