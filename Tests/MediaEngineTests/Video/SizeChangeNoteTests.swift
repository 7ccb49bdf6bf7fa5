import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given VP8 or VP9 whose frame size changes` {
  @Test(arguments: ["libvpx", "libvpx-vp9"])
  func `then it is noted, and a cut across the change has both sizes`(_ codec: String) async throws
  {
    let folder = try ScratchFolder()
    var list = ""
    for size in ["64x64", "96x64"] {
      let part = folder.path(of: size + ".webm")
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=0.6", "-c:v",
        codec, "-g", "5", "-deadline", "realtime", "-cpu-used", "8", part,
      ])
      list += "file \(size).webm\n"
    }
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "concat", "-i", try folder.write(Array(list.utf8), to: "list.txt"), "-c",
      "copy", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.notes.contains { $0.id == .picturesChange })
    let range = try #require(MediaTimeRange(from: MediaTime(3, 10), to: MediaTime(1)))
    let output = folder.path(of: "cut.webm")
    _ = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let cut = try Prober().probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(depth: .packets))
    #expect(cut.notes.contains { $0.id == .picturesChange })
  }
}
