import ExactTime
import MediaFacts
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
  ]

  @Test(arguments: Self.encoders.keys.sorted())
  func `when its edges are encoded then they are smaller than at the best quality`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    let encoder = try #require(Self.encoders[codec])
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25,trim=end_frame=100",
        "-vf", "noise=alls=12:allf=t:all_seed=3", "-pix_fmt", "yuv420p", "-c:v",
      ] + encoder + [path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    // From within the first GOP to within the last.
    let range = try `Given a file made by an encoder`.range(10..<95)
    let plan = try clip.plan(CutRequest(range: range), for: .mp4)
    let tracks = try CutAssembly(
      source: clip.source, plan: plan, number: 0, spool: PayloadSpool(), limits: .standard,
      isCancelled: { false }
    ).tracks()
    let head = tracks[0].packets.filter { $0.isMade && $0.place < 40 }
    let packets = clip.source.tracks[0].coded.packets
    let run = EdgeEncoder.Run(
      places: head.map(\.place).sorted { packets[$0].pts < packets[$1].pts }, source: 0..<40)
    let limit = EdgeQuality(packets: packets).bounds(run, first: .max).upperBound
    let best = try finest(run, of: clip.source)
    let made = head.reduce(0) { $0 + $1.byteCount }
    #expect(best > limit, "the clip shows nothing")
    #expect(made < best * 9 / 10, "\(made) of \(best), limit \(limit)")
    // Both edges decode under one set of parameters, even if their qualities differ.
    _ = try clip.cut(plan, to: Array(folder.path(of: "cut.mp4").utf8))
  }

  /// The size of a run at the encoder's best quality.
  private func finest(_ run: EdgeEncoder.Run, of source: any CutSource) throws -> Int {
    let track = source.tracks[0]
    let choice = try #require(
      EncoderChoice(
        codec: track.facts.codec, video: track.facts.video, configuration: track.configuration))
    let encoder = EdgeEncoder(
      source: source, track: 0, settings: choice.settings(track.facts.video), takesShown: false,
      limits: .standard, isCancelled: { false })
    var bytes = 0
    try encoder.encode(run) { picture, _ in bytes += picture.packet.bytes.count }
    return bytes
  }

  @Test(arguments: ["h264", "hevc", "vp8", "vp9", "av1"])
  func
    `when its edges exceed the limit then their quality is reduced, within bounds, and otherwise kept`(
      _ codec: String
    ) throws
  {
    let choice = try #require(EncoderChoice(codec: Codec(codec), video: nil, configuration: []))
    let quality = { (choice: EncoderChoice) in
      choice.options.first { $0.key == "crf" }.flatMap { Int($0.value) } ?? 0
    }
    let adaptation = try #require(choice.adaptation)
    #expect(choice.adapted(1000, to: 500...1000) == nil)
    let coarser = try #require(choice.adapted(2000, to: 500...1000))
    #expect(quality(coarser) > quality(choice))
    let coarsest = try #require(choice.adapted(.max / 8, to: 0...1))
    #expect(quality(coarsest) == adaptation.coarsest)
    guard quality(choice) > adaptation.finest else { return }
    let finer = try #require(choice.adapted(600, to: 1000...2000))
    #expect(quality(finer) < quality(choice))
    let finest = try #require(choice.adapted(1, to: 1_000_000...2_000_000))
    #expect(quality(finest) == adaptation.finest)
  }

  @Test(arguments: ["h263", "mpeg4", "msmpeg4v3"])
  func `when the source's quantiser is finer then it is that of the edges`(
    _ codec: String
  ) throws {
    let choice = try #require(EncoderChoice(codec: Codec(codec), video: nil, configuration: []))
    let options = choice.asFine(as: 1).options
    #expect(options.first { $0.key == "qmin" }?.value == "1")
    let quality = options.first { $0.key == "global_quality" }?.value
    #expect(quality == nil || quality == "118")
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
