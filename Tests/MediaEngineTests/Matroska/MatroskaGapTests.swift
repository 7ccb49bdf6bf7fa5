import ExactTime
import Foundation
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// A file of pictures and sound in Matroska, some of whose blocks are overwritten.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given Matroska with lost bytes` {
  private func clip(in folder: ScratchFolder, _ words: [String] = []) async throws -> String {
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-f", "lavfi", "-i",
        "anoisesrc=d=4:seed=1", "-c:v", "libx264", "-g", "25", "-bf", "2", "-c:a", "libmp3lame",
      ] + words + [path])
    return path
  }

  private func probe(_ path: String) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(path.utf8)),
      options: ProbeOptions(depth: .packets, wantsKeyframes: true))
  }

  /// Overwrites what precedes the block of the third keyframe, and the start of the block.
  private func damaged(_ path: String, _ facts: MediaFacts) throws -> Int64 {
    let place = try #require(facts.tracks[0].keyframes[2].byteOffset)
    var bytes = try fileBytes(path)
    for offset in Int(place) - 200..<Int(place) + 200 { bytes[offset] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return place
  }

  @Test func `then a probe of all packets reports where, and how much`() async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let whole = try probe(path)
    #expect(whole.damage.isEmpty)
    let place = try damaged(path, whole)
    let damage = try #require(try probe(path).damage.first)
    #expect(damage.kind == .garbage)
    #expect(damage.count == 1)
    #expect(damage.byteOffset.map { $0 > place - 10_000 && $0 <= place + 200 } == true)
    #expect(damage.text.hasSuffix("are not part of any element; their contents are lost."))
  }

  @Test
  func `when a part with such a place is cut then it is reported, or refused on request`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    _ = try damaged(path, probe(path))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    func cut(_ from: Int64, _ to: Int64, rejecting: Bool = false) throws -> [CutDamage] {
      let range = try #require(MediaTimeRange(from: MediaTime(from), to: MediaTime(to)))
      var request = CutRequest(range: range)
      request.rejectsDamage = rejecting
      let order = CutOrder(
        request, to: Array(folder.path(of: "cut\(from)\(rejecting).mkv").utf8))
      return try clip.cut(order).examination?.damage ?? []
    }
    #expect(try cut(0, 1).isEmpty)
    #expect(try cut(1, 4).contains { $0.kind == .transport })
    #expect {
      _ = try cut(1, 4, rejecting: true)
    } throws: {
      ($0 as? MediaError)?.code == .damaged
    }
  }

  /// Clusters of unknown size, empty elements and an index at the start are not gaps.
  @Test(
    arguments: [
      ["-live", "1"], ["-cues_to_front", "1", "-reserve_index_space", "5000"],
      ["-cluster_time_limit", "200"],
    ])
  func `when nothing is lost then nothing is reported`(_ words: [String]) async throws {
    let folder = try ScratchFolder()
    #expect(try probe(await clip(in: folder, words)).damage.isEmpty)
  }
}
