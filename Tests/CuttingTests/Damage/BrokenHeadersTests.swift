import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis in WebM whose headers are damaged` {
  @Test(arguments: ["ogg", "mka"])
  func `when it is cut then the source is blamed`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let intact = folder.path(of: "intact.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=4:seed=5:a=0.4", "-c:a",
      "libvorbis", "-ac", "1", intact,
    ])
    var bytes = try fileBytes(intact)
    // The setup header (Vorbis I, 4.2.4) begins with its type, its name and the books of codes.
    let setup = try #require(bytes.firstRange(of: Array("\u{5}vorbis".utf8))).upperBound
    for place in setup + 12..<setup + 40 { bytes[place] ^= 0x5A }
    let path = try folder.write(bytes, to: "damaged.webm")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let error = #expect(throws: MediaError.self) {
      try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(
          CutRequest(range: range), to: Array(folder.path(of: "cut." + ending).utf8)))
    }
    #expect(error?.code == .damaged)
  }
}
