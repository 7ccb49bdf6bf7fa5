import ExactTime
import ISOMedia
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// ISO 14496-12, 10.4: random access points whose leading pictures must be skipped are in a sample
/// group instead of the sync samples.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given open GOPs whose keyframes are in a sample group` {
  /// 100 pictures with keyframes 0, 25, 50 and 75; all but the first are only in the sample group.
  private static func make(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", "libx264",
      "-x264-params", "open-gop=1:bframes=3:keyint=25:min-keyint=25:scenecut=0", path,
    ])
    var bytes = try fileBytes(path)
    var place = try #require(bytes.lastRange(of: "moov")).lowerBound - 4
    var boxes = [place]
    for name in ["trak", "mdia", "minf", "stbl", "stss"] {
      place = try #require(bytes.range(of: name, from: place)) - 4
      boxes.append(place)
    }
    let table = boxes.removeLast()
    let keys = (0..<number(bytes, at: table + 12)).map { number(bytes, at: table + 16 + 4 * $0) }
    try #require(keys.count == 4)
    put(1, in: &bytes, at: table + 12)
    var runs: [(Int, Int)] = []
    var last = 0
    for key in keys.dropFirst() {
      runs += [(key - 1 - last, 0), (1, 1)]
      last = key
    }
    runs.append((100 - last, 0))
    let added =
      box("sgpd", [1 << 24], "rap ", [1, 1]) { $0.append(0x83) }
      + box("sbgp", [0], "rap ", [runs.count] + runs.flatMap { [$0.0, $0.1] })
    let stbl = try #require(boxes.last)
    bytes.insert(contentsOf: added, at: stbl + number(bytes, at: stbl))
    for place in boxes { put(number(bytes, at: place) + added.count, in: &bytes, at: place) }
    return try folder.write(bytes, to: "grouped.mp4")
  }

  private static func box(
    _ name: String, _ before: [Int], _ type: String, _ after: [Int],
    _ more: (inout [UInt8]) -> Void = { _ in }
  ) -> [UInt8] {
    func words(_ numbers: [Int]) -> [UInt8] {
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      }
    }
    var body = Array(name.utf8) + words(before) + Array(type.utf8) + words(after)
    more(&body)
    return words([body.count + 4]) + body
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func put(_ number: Int, in bytes: inout [UInt8], at place: Int) {
    for shift in 0..<4 {
      bytes[place + shift] = UInt8(truncatingIfNeeded: number >> (24 - 8 * shift))
    }
  }

  @Test func `then they are keyframes of open GOPs`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(in: folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsKeyframes: true))
    let groups = try #require(facts.tracks.first?.gops)
    #expect(groups.count == 4)
    #expect(groups.openCount == 3)
  }

  @Test func `when a part is cut then it copies from them, and they stay random access points`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make(in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(7, 2)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == 76)
    #expect(report.plan.encodedFrames < 25)
    let movie = try ISOMovie(reading: InMemoryBytes(try fileBytes(output)))
    let table = try #require(movie.tracks.first).samples(.times)
    // The first is sync, and the encoded end may begin with one; the two between are not.
    let (sync, entries) = (try #require(table.syncIndices), try #require(table.entryIndices))
    #expect(sync.first == 0)
    #expect(Set(entries).subtracting(sync).count == 2)
    let run = try await EncodedClip.ffmpeg(["-v", "error", "-i", output, "-f", "null", "-"])
    #expect(run.errText.isEmpty)
  }
}

extension [UInt8] {
  fileprivate func range(of name: String, from start: Int) -> Int? {
    self[start...].firstRange(of: Array(name.utf8))?.lowerBound
  }

  fileprivate func lastRange(of name: String) -> Range<Int>? {
    ranges(of: Array(name.utf8)).last
  }
}
