import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Given MXF that ends inside a picture` {
  private func probe(_ path: String) throws -> MediaFacts {
    try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: .frames))
  }

  @Test(
    .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"),
    arguments: [
      ["-c:v", "mpeg2video", "-b:v", "4M"],
      ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-s", "256x120"],
    ])
  func `then that is damage, and the picture is not presented`(_ codec: [String]) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "whole.mxf")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=1"] + codec
        + ["-bf", "0", path])
    let whole = try probe(path)
    #expect(whole.damage.isEmpty)
    let bytes = try fileBytes(path)
    let count = try #require(whole.tracks.first?.frameCount)
    // Past half of the file, inside a picture.
    let last = try #require(
      bytes.ranges(of: Self.element).last { $0.lowerBound < bytes.count / 2 })
    let cut = try probe(
      try folder.write(Array(bytes[..<(last.upperBound + 40)]), to: "cut.mxf"))
    #expect(cut.damage.map(\.kind) == [.truncated])
    let left = try #require(cut.tracks.first?.frameCount)
    #expect(left > 0 && left < count)
    #expect(cut.durations.presented?.length == MediaDuration(Int64(left), 25))
    #expect(cut.durations.decoded?.length == cut.durations.presented?.length)
  }

  /// The key of a generic container's picture element (SMPTE ST 379-2, 7.1).
  private static let element: [UInt8] = [
    0x06, 0x0E, 0x2B, 0x34, 0x01, 0x02, 0x01, 0x01, 0x0D, 0x01, 0x03, 0x01, 0x15,
  ]

  @Test(.enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)))
  func `then the reported file presents nothing`() throws {
    let facts = try probe(Cases.path("real/jcodec+jcodec/two_timecodes.mxf"))
    #expect(facts.durations.presented == nil)
    #expect(facts.damage.map(\.kind) == [.truncated])
  }
}
