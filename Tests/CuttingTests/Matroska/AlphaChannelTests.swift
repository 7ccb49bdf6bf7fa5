import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// WebM stores an alpha channel separately from the pictures of VP8 and VP9 (RFC 9559, 5.1.3.5.2).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given video with an alpha channel` {
  enum Codec: String, CaseIterable {
    case vp8 = "libvpx"
    case vp9 = "libvpx-vp9"
  }

  /// Two seconds with a scene cut after one second: the VP8 encoder makes a keyframe there, but not
  /// in the alpha channel, which continues.
  private static func clip(_ codec: Codec, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1,format=yuv420p", "-f",
      "lavfi", "-i", "smptehdbars=s=160x96:r=25:d=1,format=yuv420p", "-f", "lavfi", "-i",
      "testsrc2=s=160x96:r=25:d=2,format=gray", "-filter_complex",
      "[0][1]concat[v];[v][2]alphamerge",
      "-c:v", codec.rawValue,
      "-b:v", "500k", "-deadline", "good", "-cpu-used", "4", "-auto-alt-ref", "0",
      "-force_key_frames", "0.4,0.8,1.6", path,
    ])
    return path
  }

  /// The alpha channel of each frame.
  private static func alphas(_ path: String, _ codec: Codec) async throws -> [[UInt8]] {
    let size = 160 * 96
    let bytes = try await EncodedClip.ffmpeg([
      "-v", "error", "-c:v", codec.rawValue, "-i", path, "-vf", "alphaextract,format=gray", "-f",
      "rawvideo", "-",
    ]).out
    return (0..<bytes.count / size).map { Array(bytes[$0 * size..<($0 + 1) * size]) }
  }

  private static func cut(
    _ path: String, to output: String, _ parts: [Range<Int64>], mode: CutMode = .smart
  ) throws -> CutReport {
    let ranges = try parts.map {
      try #require(
        MediaTimeRange(from: MediaTime($0.lowerBound, 25), to: MediaTime($0.upperBound, 25)))
    }
    var request = CutRequest(range: ranges[0], mode: mode, verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
  }

  private static func error(_ picture: [UInt8], _ other: [UInt8]) -> Int {
    zip(picture, other).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
      / picture.count
  }

  @Test(
    arguments: Codec.allCases,
    [
      ("webm", [10..<40], .smart), ("webm", [14..<42], .smart), ("mkv", [14..<42], .smart),
      ("webm", [14..<42], .reencode), ("webm", [13..<22, 30..<45], .smart),
    ] as [(String, [Range<Int64>], CutMode)])
  func `when parts are cut then each frame keeps its alpha channel`(
    _ codec: Codec, _ cut: (ending: String, parts: [Range<Int64>], mode: CutMode)
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(codec, in: folder)
    let output = folder.path(of: "cut." + cut.ending)
    let report = try Self.cut(path, to: output, cut.parts, mode: cut.mode)
    #expect(report.plan.tracks[0].reasons.contains(.alphaNotWritten) == false)
    let (source, alphas) = (
      try await Self.alphas(path, codec), try await Self.alphas(output, codec)
    )
    let frames = cut.parts.flatMap { Array($0) }
    try #require(alphas.count == frames.count)
    for (alpha, frame) in zip(alphas, frames) {
      #expect(Self.error(alpha, source[Int(frame)]) < 20, "frame \(frame)")
    }
    let copied = zip(alphas, frames).count { $0.0 == source[Int($0.1)] }
    #expect(copied >= report.plan.frames - report.plan.encodedFrames)
  }

  /// Browsers declare an alpha channel whether there is one or not.
  @Test func `when none of the pictures has one then they are still cut`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2", "-c:v", "libvpx-vp9",
      "-deadline", "realtime", "-cpu-used", "8", "-g", "10", "-metadata:s:v", "alpha_mode=1", path,
    ])
    let clip = try `Given a file made by an encoder`.open(path)
    try #require(clip.tracks[0].hasAlpha)
    let report = try Self.cut(path, to: folder.path(of: "cut.webm"), [14..<42])
    #expect(report.plan.encodedFrames > 0)
    #expect(report.plan.frames == 28)
  }

  /// The picture is a keyframe there, but the alpha channel is not.
  @Test func `when a decoder can start only in the color stream then nothing is copied from there`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip(.vp8, in: folder)
    let clip = try `Given a file made by an encoder`.open(path)
    try #require(clip.tracks[0].coded.packets[25].isKey)
    let output = folder.path(of: "cut.webm")
    let report = try Self.cut(path, to: output, [25..<38])
    #expect(report.plan.encodedFrames == 13)
    #expect(try await Self.alphas(output, .vp8).count == 13)
  }

  /// The picture encoder makes a keyframe at a scene cut; that of the alpha channel does not notice.
  @Test func `when all is re-encoded then each keyframe is one in both streams`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(.vp8, in: folder)
    let output = folder.path(of: "cut.webm")
    _ = try Self.cut(path, to: output, [14..<42], mode: .reencode)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let packets = written.source.tracks[0].coded.packets
    let keys = packets.indices.filter { packets[$0].isKey }
    try #require(keys.count > 1)
    for key in keys { #expect(written.source.access(ofTrack: 0, key) == .intra) }
  }

  @Test func `when its alpha channel is damaged in the source then that is reported`() async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip(.vp8, in: folder)
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    try source.prepare([0: [14..<15]])
    let alpha = try #require(try source.alpha(ofTrack: 0, 14))
    var bytes = try fileBytes(path)
    let place = try #require(bytes.firstRange(of: alpha))
    for offset in place.prefix(16) { bytes[offset] = 0xFF }
    try folder.write(bytes, to: "clip.webm")
    let report = try Self.cut(path, to: folder.path(of: "cut.webm"), [10..<24])
    #expect(report.plan.encodedFrames == 0)
    let damage = try #require(report.examination?.damage.first)
    #expect(damage.text.hasPrefix("alpha channel: "))
  }

  @Test func `when the container cannot hold it then that is reported, and none is declared`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip(.vp9, in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try Self.cut(path, to: output, [14..<42])
    #expect(report.plan.tracks[0].reasons.contains(.alphaNotWritten))
    let written = try `Given a file made by an encoder`.open(output)
    #expect(!written.tracks[0].facts.tags.contains { $0.key.lowercased() == "alpha_mode" })
    #expect(!written.tracks[0].hasAlpha)
  }
}
