import MediaEngine
import Support
import Testing

@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given WebM that was recorded from within a group of pictures` {
  @Test(arguments: ["libvpx", "libvpx-vp9"])
  func `then what no decoder shows is no damage, at any depth`(_ encoder: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "film.webm")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=3", "-c:v",
      encoder, "-g", "25", "-keyint_min", "25", "-deadline", "realtime", "-cpu-used", "8",
      "-bsf:v", "noise=drop=lt(n\\,10)", "-auto-alt-ref", "0", path,
    ])
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try Prober().probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
      #expect(facts.notes.contains { $0.id == "before-keyframe" }, "\(depth)")
      #expect(facts.damage.isEmpty, "\(depth)")
    }
  }
}
