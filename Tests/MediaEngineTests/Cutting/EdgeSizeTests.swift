import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given a low-bitrate file` {
  private static let encoders = [
    "h264": [
      "libx264", "-preset", "fast", "-x264-params", "keyint=40:min-keyint=40:scenecut=0:crf=28",
    ],
    "hevc": [
      "libx265", "-preset", "fast", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:keyint=40:min-keyint=40:scenecut=0:open-gop=0:crf=28",
    ],
    "vp8": ["libvpx", "-b:v", "300k", "-g", "40", "-keyint_min", "40"],
    "vp9": ["libvpx-vp9", "-crf", "36", "-b:v", "0", "-cpu-used", "5", "-g", "40"],
    "av1": ["libsvtav1", "-crf", "45", "-preset", "10", "-g", "40"],
  ]

  /// The size of the encoded pictures of a cut from within the first GOP to within the last, and
  /// its limit; the cut is written and proven.
  private func edge(_ codec: String) async throws -> (made: Int, limit: Int) {
    let folder = try ScratchFolder()
    let container = codec.hasPrefix("vp") ? OutputContainer.webm : .mp4
    let path = folder.path(of: "clip\(container.rules.ending)")
    let encoder = try #require(Self.encoders[codec])
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25,trim=end_frame=100",
        "-vf", "noise=alls=12:allf=t:all_seed=3", "-pix_fmt", "yuv420p", "-c:v",
      ] + encoder + [path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try `Given a file made by an encoder`.range(10..<95)
    let plan = try clip.plan(CutRequest(range: range), for: container)
    let tracks = try CutAssembly(
      source: clip.source, plan: plan, number: 0, spool: PayloadSpool(), limits: .standard,
      isCancelled: { false }
    ).tracks()
    let made = tracks[0].packets.filter(\.isMade)
    #expect(!made.isEmpty)
    let head = EdgeEncoder.Run(places: made.map(\.place), source: 0..<40)
    let packets = clip.source.tracks[0].coded.packets
    // Both edges decode under one set of parameters, even if their qualities differ.
    _ = try clip.cut(plan, to: Array(folder.path(of: "cut\(container.rules.ending)").utf8))
    return (made.reduce(0) { $0 + $1.byteCount }, EdgeQuality(packets: packets).limit(head))
  }

  @Test(arguments: Sample.of(Self.encoders.keys.sorted(), 3))
  func `when its edges are encoded then they are not many times larger`(
    _ codec: String
  ) async throws {
    let (made, limit) = try await edge(codec)
    #expect(made < limit * 2)
  }

  @Test(arguments: Self.encoders.keys.sorted())
  func
    `when its edges exceed the limit then their quality is reduced, within bounds, and otherwise kept`(
      _ codec: String
    ) throws
  {
    let choice = try #require(EncoderChoice(codec: codec, video: nil, configuration: []))
    let quality = { (choice: EncoderChoice) in
      choice.options.first { $0.key == "crf" }.flatMap { Int($0.value) } ?? 0
    }
    let adaptation = try #require(choice.adaptation)
    #expect(quality(choice.coarser(1000, than: 1000)) == quality(choice))
    #expect(quality(choice.coarser(2000, than: 1000)) > quality(choice))
    #expect(quality(choice.coarser(.max / 8, than: 1)) <= adaptation.coarsest)
  }

  @Test func `when it is HEVC then its edges are encoded one picture at a time`() throws {
    // Several wait for one another, in libx265 4.1 sometimes forever.
    let choice = try #require(EncoderChoice(codec: "hevc", video: nil, configuration: []))
    let parameters = choice.options.first { $0.key == "x265-params" }?.value ?? ""
    #expect(
      parameters.split(separator: ":").filter { $0.hasPrefix("frame-threads=") } == [
        "frame-threads=1"
      ])
  }
}
