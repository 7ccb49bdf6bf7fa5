import ExactTime
import Libav
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

/// Files of a single GOP, with many pictures between its keyframe and the requested ones.
private struct LongGroup: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var parameters: String
  /// Whether pictures that others refer to can be skipped on the way.
  var isShort = false
  var source = "testsrc2=size=160x96:rate=25,noise=alls=8:allf=t"

  static let all = [
    LongGroup(
      testDescription: "a pyramid, one reference", parameters: "bframes=3:b-pyramid=normal:ref=1",
      isShort: true),
    LongGroup(
      testDescription: "a pyramid, as veryfast has it",
      parameters: "bframes=3:b-pyramid=normal:ref=1:weightp=1:8x8dct=1", isShort: true),
    LongGroup(
      testDescription: "a pyramid, two references and weights",
      parameters: "bframes=3:b-pyramid=normal:ref=2:weightp=2",
      source: "testsrc2=size=160x96:rate=25,fade=in:0:60"),
    LongGroup(
      testDescription: "a pyramid, six references",
      parameters: "bframes=5:b-pyramid=normal:ref=6:weightb=1"),
    LongGroup(
      testDescription: "a strict pyramid, slices",
      parameters: "bframes=3:b-pyramid=strict:ref=3:slices=3", isShort: true),
    LongGroup(testDescription: "no pyramid", parameters: "bframes=2:b-pyramid=none:ref=4"),
    LongGroup(testDescription: "no pictures of two directions", parameters: "bframes=0:ref=2"),
    LongGroup(
      testDescription: "temporal direct prediction",
      parameters: "bframes=3:b-pyramid=normal:ref=1:direct=temporal", isShort: true),
    LongGroup(
      testDescription: "interlaced", parameters: "bframes=3:b-pyramid=normal:ref=1:tff=1"),
  ]

  func make(in folder: ScratchFolder) async throws -> ISOCutSource {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", source + ",trim=end_frame=100", "-pix_fmt", "yuv420p",
      "-c:v", "libx264", "-preset", "fast", "-g", "100", "-x264-params",
      "min-keyint=100:scenecut=0:b-adapt=0:open-gop=0:threads=1:" + parameters, path,
    ])
    let file = try InputFile(path: Array(path.utf8))
    return try #require(try ISOCutSource(file, limits: .standard, isCancelled: { false }))
  }
}

/// Each picture, losslessly coded on its own.
private func pictures(_ places: [Int], of source: ISOCutSource) throws -> [Int: [UInt8]] {
  var settings = Encoder.Settings(
    name: "ffv1", options: [("g", "1")], tick: Rational(1, 25), hasGlobalHeader: false)
  settings.bytesPerPixel = FFV1Coding.bytesPerPixel
  let encoder = EdgeEncoder(
    source: source, track: 0, settings: settings, takesShown: false, limits: .standard,
    isCancelled: { false })
  let packets = source.tracks[0].coded.packets
  let shown = places.sorted { packets[$0].pts < packets[$1].pts }
  var pictures: [Int: [UInt8]] = [:]
  try encoder.encode(
    EdgeEncoder.Run(places: shown, source: 0..<(places.max() ?? 0) + 1)
  ) { (picture, _) throws(MediaError) in pictures[picture.place] = picture.packet.bytes }
  return pictures
}

@Suite(
  .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given H.264 pictures far from their keyframe` {
  @Test(arguments: Sample.of(LongGroup.all, 5))
  fileprivate func `then everything they refer to is decoded on the way, bit for bit`(
    _ clip: LongGroup
  ) async throws {
    let folder = try ScratchFolder()
    let source = try await clip.make(in: folder)
    let count = source.tracks[0].coded.packets.count
    let whole = try pictures(Array(0..<count), of: source)
    for first in [40, 57, 90] {
      let places = Array(first..<min(count, first + 6))
      let wanted = try pictures(places, of: source)
      let wrong = places.filter { wanted[$0] == nil || wanted[$0] != whole[$0] }
      #expect(wrong == [], "from \(first)")
    }
  }

  @Test(arguments: LongGroup.all)
  fileprivate func `then pictures that they do not depend on are skipped`(
    _ clip: LongGroup
  ) async throws {
    let folder = try ScratchFolder()
    let source = try await clip.make(in: folder)
    let lead = try LeadIn(to: Array(90..<96), from: 0, of: source.tracks[0]) {
      (place) throws(MediaError) in try source.bytes(ofTrack: 0, place)
    }
    let isShorter = (0..<90).contains { lead.skip(at: $0) == .bidirectional }
    #expect((90..<96).allSatisfy { lead.skip(at: $0) == .nothing })
    if clip.isShort { #expect(isShorter) }
  }
}
