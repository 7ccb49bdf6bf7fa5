import Support
import Testing

@testable import Cutting
@testable import Probing

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given WebM that begins within a GOP` {
  @Test(arguments: ["libvpx", "libvpx-vp9"])
  func `then what no decoder shows is not damage, at any depth`(_ encoder: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=3", "-c:v",
      encoder, "-g", "25", "-keyint_min", "25", "-deadline", "realtime", "-cpu-used", "8",
      "-bsf:v", "noise=drop=lt(n\\,10)", "-auto-alt-ref", "0", path,
    ])
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try Prober().probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
      #expect(facts.notes.contains { $0.id == .beforeKeyframe }, "\(depth)")
      #expect(facts.damage.isEmpty, "\(depth)")
    }
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio in which one packet has lost its header` {
  /// In the middle, where only damage explains it.
  @Test(arguments: ["libmp3lame", "ac3", "flac"])
  func `then a decode of every packet finds the damage`(_ encoder: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mka")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.4", "-c:a", encoder,
      path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let place = clip.source.tracks[0].coded.packets.count / 2
    try clip.source.prepare([0: [place..<place + 1]])
    let packet = try clip.source.bytes(ofTrack: 0, place)
    var bytes = try fileBytes(path)
    let start = try #require(bytes.firstRange(of: packet)?.lowerBound)
    bytes.replaceSubrange(start..<start + 2, with: [0, 0])
    let damaged = try folder.write(bytes, to: "damaged.mka")
    let facts = try Prober().probe(
      .file(path: Array(damaged.utf8)), options: ProbeOptions(depth: .frames))
    #expect(!facts.damage.isEmpty)
  }
}
