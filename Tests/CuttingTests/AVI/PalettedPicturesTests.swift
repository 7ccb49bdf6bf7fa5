import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given an AVI of paletted video` {
  private static let size = 16

  /// A second of run-length coded pictures (Microsoft RLE), each of one color: orange and teal in turn.
  private func clip(in folder: ScratchFolder) throws -> OpenedFile {
    // Blue, green, red, and an unused byte.
    let colors: [[UInt8]] = [[0, 0, 0, 0], [0x20, 0x80, 0xf0, 0], [0x90, 0xa0, 0x10, 0]]
    let header =
      [40, Self.size, Self.size].flatMap(RIFFBuilder.little) + [1, 0, 8, 0]
      + [1, 0, 0, 0, 256, 0].flatMap(RIFFBuilder.little)
    let format = header + colors.joined() + Array(repeating: 0, count: 1024 - colors.count * 4)
    let pictures = (0..<25).map { place -> [UInt8] in
      let row = [UInt8(Self.size), UInt8(1 + place % 2), 0, 0]
      return Array(repeatElement(row, count: Self.size).joined()) + [0, 1]
    }
    let bytes = RIFFBuilder.clip(
      type: "vids", codec: [1, 0, 0, 0], format: format, packets: pictures, named: "00dc")
    let path = try folder.write(bytes, to: "clip.avi")
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  @Test(arguments: ["avi", "mkv", "mov"])
  func `when a part of it is cut then its frames keep their colors`(_ ending: String)
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try clip(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(13, 25), to: MediaTime(15, 25)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == 2)
    let shown = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-fps_mode", "passthrough", "-vf", "format=rgb24,scale=1:1",
      "-f", "rawvideo", "-",
    ]).out
    #expect(Array(shown) == [0x10, 0xa0, 0x90, 0xf0, 0x80, 0x20])
  }
}

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given QuickTime with paletted video` {
  @Test
  func `when a part is cut into Matroska then it is refused, and QuickTime is suggested`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mov")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-filter_complex",
      "split[a][b];[a]palettegen=max_colors=200[p];[b][p]paletteuse", "-c:v", "smc", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let request = CutRequest(range: range, mode: .copy)
    let error = #expect(throws: MediaError.self) {
      try clip.cut(CutOrder(request, to: Array(folder.path(of: "cut.mkv").utf8)))
    }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.contains(".mov") == true)
    #expect(error?.hint?.contains(".mkv") == false)
  }
}
