import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given uncompressed video in AVI or QuickTime` {
  struct Layout: Sendable, CustomTestStringConvertible {
    var source: String
    var format: String
    var output: String

    var testDescription: String { "\(format) of \(source) into \(output)" }

    init(_ source: String, _ format: String, _ output: String) {
      (self.source, self.format, self.output) = (source, format, output)
    }

    func make(in folder: ScratchFolder) async throws -> String {
      let path = folder.path(of: "clip." + source)
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-c:v",
        "rawvideo", "-pix_fmt", format, path,
      ])
      return path
    }

    /// Formats identified only by bits per pixel.
    static let lost = [
      Layout("mov", "rgb24", "avi"), Layout("mov", "argb", "avi"), Layout("mov", "abgr", "avi"),
      Layout("mov", "gray", "avi"), Layout("mov", "pal8", "avi"), Layout("mov", "rgb565le", "avi"),
      Layout("mov", "rgb555be", "avi"), Layout("mov", "gray16be", "avi"),
      Layout("avi", "bgr24", "mov"), Layout("avi", "pal8", "mov"), Layout("avi", "rgb555le", "mov"),
    ]
    static let kept = [
      Layout("mov", "bgr24", "avi"), Layout("mov", "bgra", "avi"), Layout("mov", "rgba", "avi"),
      Layout("mov", "yuyv422", "avi"), Layout("mov", "uyvy422", "avi"),
      Layout("avi", "bgra", "mov"), Layout("avi", "yuv420p", "mov"), Layout("avi", "gray", "mov"),
      Layout("avi", "bgr24", "avi"), Layout("mov", "rgb24", "mov"),
    ]
  }

  private static func decoded(_ path: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
    ]).out
  }

  private static let range = MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(4, 5))

  @Test(arguments: Layout.lost)
  func `when the other container implies another pixel order then it is refused, with a hint`(
    _ layout: Layout
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await layout.make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let container = try #require(OutputContainer(nameEnding: layout.output))
    let request = CutRequest(range: try #require(Self.range))
    let error = #expect(throws: MediaError.self) { try clip.plan(request, for: container) }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.contains("." + layout.source) == true)
  }

  @Test(arguments: Layout.kept)
  func `when both containers imply the same then its frames are those of the source`(
    _ layout: Layout
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await layout.make(in: folder)
    let output = folder.path(of: "cut." + layout.output)
    let request = CutRequest(range: try #require(Self.range), verification: .full)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let (source, cut) = (try await Self.decoded(path), try await Self.decoded(output))
    let frame = 64 * 48 * 3
    let isSame = cut[...] == source[5 * frame..<20 * frame]
    #expect(isSame)
  }
}
