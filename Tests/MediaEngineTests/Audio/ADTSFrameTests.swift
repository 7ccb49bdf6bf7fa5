import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Frames of AAC, each with a header (ISO 14496-3, 1.A.2.2).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given AAC without a container` {
  private func frames(rate: Int) async throws -> [[UInt8]] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.aac")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=2:r=\(rate)", "-c:a", "aac", path,
    ])
    var rest = try fileBytes(path)[...]
    var frames: [[UInt8]] = []
    while rest.count > 7 {
      let start = rest.startIndex
      let count = Self.count(Array(rest.prefix(7)))
      frames.append(Array(rest.prefix(count)))
      rest = rest[(start + count)...]
    }
    return frames
  }

  private static func count(_ head: [UInt8]) -> Int {
    Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
  }

  /// One frame with the raw data blocks of both, without checksums.
  private static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    var head = Array(first.prefix(7))
    let count = first.count + second.count - 7
    head[3] = head[3] & ~3 | UInt8(count >> 11)
    head[4] = UInt8(truncatingIfNeeded: count >> 3)
    head[5] = head[5] & 0x1F | UInt8(truncatingIfNeeded: count << 5)
    head[6] = head[6] & ~3 | 1
    return head + first.dropFirst(7) + second.dropFirst(7)
  }

  private func probe(_ bytes: [UInt8], _ depth: RequestedDepth) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "sound.aac")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test func `when frames hold two blocks each then blocks have the usual duration`() async throws {
    let frames = try await frames(rate: 44_100)
    let pairs = stride(from: 0, to: frames.count - 1, by: 2).map {
      Self.joined(frames[$0], frames[$0 + 1])
    }
    let facts = try probe(pairs.flatMap { $0 }, .packets)
    #expect(
      facts.durations.presented?.length == MediaDuration(Int64(pairs.count * 2048), 44_100))
  }

  @Test func `when frames hold two blocks each then a cut is as long as it reports`() async throws {
    let frames = try await frames(rate: 44_100)
    let pairs = stride(from: 0, to: frames.count - 1, by: 2).flatMap {
      Self.joined(frames[$0], frames[$0 + 1])
    }
    let folder = try ScratchFolder()
    let path = try folder.write(pairs, to: "sound.aac")
    let output = folder.path(of: "cut.aac")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range), to: Array(output.utf8), as: .adts)
    let written = try Prober().probe(.file(path: Array(output.utf8)))
    let length = try #require(written.durations.presented).length
    #expect(try length.subtracting(MediaDuration(1)).magnitude <= MediaDuration(2048, 44_100))
  }

  @Test(arguments: [RequestedDepth.packets, .frames])
  func `when its rate changes then each frame's own header gives its duration`(
    _ depth: RequestedDepth
  ) async throws {
    let (first, second) = try await (frames(rate: 44_100), frames(rate: 22_050))
    let facts = try probe((first + second).flatMap { $0 }, depth)
    let length =
      MediaDuration(Int64(first.count * 1024), 44_100)
      + MediaDuration(Int64(second.count * 1024), 22_050)
    #expect(facts.durations.presented?.length == length)
    if depth == .frames { #expect(facts.durations.decoded?.length == length) }
    #expect(facts.damage.isEmpty)
  }
}
