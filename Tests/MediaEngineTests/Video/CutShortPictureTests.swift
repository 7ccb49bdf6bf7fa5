import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Pictures whose container states their sizes, and whose last one is incomplete.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given a file that ends inside its last picture` {
  private func clip(_ ending: String, _ words: [String]) async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"] + words + [path])
    return try fileBytes(path)
  }

  private static let clips = [
    ("flv", ["-c:v", "flv", "-flvflags", "no_sequence_end"]), ("ivf", ["-c:v", "libvpx"]),
  ]

  @Test(arguments: clips)
  func `then that picture is not presented, and the file is damaged`(
    _ ending: String, _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let bytes = try await clip(ending, words)
    let path = try folder.write(Array(bytes.dropLast(6)), to: "clip." + ending)
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try Prober().probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
      #expect(facts.tracks[0].frameCount == 24)
      #expect(facts.durations.presented?.length == MediaDuration(24, 25))
      #expect(facts.damage.map(\.kind) == [.truncated])
      #expect(facts.notes.contains { $0.id == .lastFrameCutShort })
      if depth == .frames {
        #expect(facts.durations.decoded?.length == facts.durations.presented?.length)
      }
    }
  }

  @Test(arguments: 3...8)
  func `then the packets of MP4 agree with its tables`(_ tenths: Int) async throws {
    let folder = try ScratchFolder()
    let bytes = try await clip(
      "mp4",
      [
        "-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-g", "10", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof",
      ])
    let path = try folder.write(Array(bytes.prefix(bytes.count * tenths / 10)), to: "clip.mp4")
    let facts = try [RequestedDepth.auto, .packets].map {
      try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: $0))
    }
    #expect(facts[0].damage.contains { $0.kind == .truncated })
    #expect(facts[1].damage == facts[0].damage)
    #expect(facts[1].durations.presented?.length == facts[0].durations.presented?.length)
    #expect(!facts[1].notes.contains { $0.id == .packetsDiffer })
  }

  @Test(arguments: clips)
  func `when it is cut then it ends before that picture`(
    _ ending: String, _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let bytes = try await clip(ending, words)
    let path = try folder.write(Array(bytes.dropLast(6)), to: "clip." + ending)
    let output = folder.path(of: "cut.mkv")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(24, 25)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .matroska)
    let cut = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(cut.tracks[0].frameCount == 24)
    #expect(cut.damage.isEmpty)
  }
}
