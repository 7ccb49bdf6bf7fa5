import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Firefox keeps only the first parameter set of each type.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a cut of HEVC with pictures re-encoded at its edges` {
  private static func x265(_ name: String, _ words: [String], _ parameters: String) -> EncodedClip {
    EncodedClip(
      testDescription: "HEVC, \(name)",
      words: ["-c:v", "libx265", "-g", "12", "-tag:v", "hvc1"] + words
        + ["-x265-params", "log-level=none:min-keyint=12:scenecut=0:" + parameters])
  }

  static let clips = [
    x265("of the fastest preset", ["-preset", "ultrafast"], "open-gop=0"),
    x265("of the medium preset", ["-preset", "medium"], "open-gop=1:bframes=4"),
    x265("with asymmetric parts", ["-preset", "fast"], "rect=1:amp=1:tu-inter-depth=3:ctu=32"),
    x265(
      "with every switch the other way", ["-preset", "fast", "-pix_fmt", "yuv420p10le"],
      "tskip=1:no-wpp=1:no-signhide=1:deblock=-1,1:cbqpoffs=2:aq-mode=0:no-cutree=1:no-sao=1:"
        + "no-strong-intra-smoothing=1:no-temporal-mvp=1:ctu=16:constrained-intra=1"),
    x265("of full chroma", ["-preset", "fast", "-pix_fmt", "yuv444p"], "bframes=2"),
  ]

  private static func cut(
    _ clip: EncodedClip, in folder: ScratchFolder, from: MediaTime, to: MediaTime
  ) async throws -> (source: OpenedFile, cut: OpenedFile, paths: (String, String)) {
    let made = try await clip.make(in: folder)
    let path = folder.path(of: "cut." + clip.ending)
    let cutter = FileCutter(isCancelled: { false })
    let source = try cutter.open(.file(path: Array(made.utf8)))
    let request = CutRequest(
      range: try #require(MediaTimeRange(from: from, to: to)), verification: .full)
    let container = try #require(OutputContainer(nameEnding: clip.ending))
    let report = try source.cut(request, to: Array(path.utf8), as: container)
    #expect((report.plan.tracks.first?.encoded ?? 0) > 0)
    return (source, try cutter.open(.file(path: Array(path.utf8))), (made, path))
  }

  @Test(arguments: clips)
  func `then all pictures use the source's parameter sets, and its configuration is kept`(
    _ clip: EncodedClip
  ) async throws {
    let folder = try ScratchFolder()
    let (source, cut, paths) = try await Self.cut(
      clip, in: folder, from: MediaTime(27, 25), to: MediaTime(68, 25))
    #expect(cut.source.tracks[0].configuration == source.source.tracks[0].configuration)
    let whole = try await EncodedClip.pictures(paths.0).pictures
    let (part, log) = try await EncodedClip.pictures(paths.1)
    #expect(log.isEmpty, "\(log)")
    try #require(part.count == 41)
    for (place, picture) in part.enumerated() {
      #expect(ByteSearch.meanDifference(picture, whole[27 + place]) < 3, "picture \(place)")
    }
  }

  @Test func `when its pictures are padded then the padding is not shown`() async throws {
    let folder = try ScratchFolder()
    var clip = Self.clips[0]
    clip.words += ["-vf", "crop=160:90"]
    clip.words = clip.words.map { $0.replacing("open-gop=0", with: "open-gop=0:min-cu-size=8") }
    let (source, cut, _) = try await Self.cut(
      clip, in: folder, from: MediaTime(27, 25), to: MediaTime(68, 25))
    #expect(cut.source.tracks[0].configuration == source.source.tracks[0].configuration)
    #expect(cut.facts.tracks.first?.video?.height == 90)
  }
}
