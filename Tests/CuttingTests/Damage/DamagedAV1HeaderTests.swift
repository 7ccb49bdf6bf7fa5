import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AV1 in MP4 whose sequence header is damaged only in av1C` {
  @Test(arguments: [CutMode.smart, .copy])
  func `when it is cut then the damage is listed`(_ mode: CutMode) async throws {
    let folder = try ScratchFolder()
    let intact = folder.path(of: "intact.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2", "-c:v",
      "libsvtav1", "-preset", "12", "-g", "10", "-pix_fmt", "yuv420p", intact,
    ])
    var bytes = try fileBytes(intact)
    let box = try #require(bytes.firstRange(of: Array("av1C".utf8))).lowerBound
    let end = box - 4 + Int(bytes[box - 1])
    #expect(bytes[end - 1] != 0)
    bytes[end - 1] = 0
    let path = try folder.write(bytes, to: "damaged.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(48, 100), to: MediaTime(3, 2)))
    let request = CutRequest(range: range, mode: mode)

    func damage(_ path: String) throws -> [CutDamage]? {
      try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(request, to: Array(folder.path(of: "cut.mp4").utf8), replaces: true)
      ).examination?.damage
    }
    #expect(try damage(intact) == [])
    let found = try #require(try damage(path))
    #expect(found.map(\.kind) == [.header], "\(found)")
    #expect(found.allSatisfy { $0.text.contains("sequence header") })
  }
}
