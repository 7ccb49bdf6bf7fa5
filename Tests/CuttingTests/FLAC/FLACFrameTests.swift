import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given frames of FLAC` {
  /// The packets of two seconds of sound.
  private static func frames() async throws -> [[UInt8]] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.flac")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=2:r=44100:seed=3", "-c:a", "flac",
      "-frame_size", "512", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let places = clip.source.tracks[0].coded.packets.indices
    try clip.source.prepare([0: [places]])
    return try places.map { try clip.source.bytes(ofTrack: 0, $0) }
  }

  @Test func `then each has its number, and setting it again changes nothing`() async throws {
    let frames = try await Self.frames()
    #expect(frames.count > 130)
    for (place, frame) in frames.enumerated() {
      #expect(FLACFrame.number(of: frame) == UInt64(place))
      #expect(FLACFrame.renumbered(frame, as: UInt64(place)) == frame)
    }
  }

  @Test(arguments: [0, 127, 128, 2047, 2048, 65_535, 65_536, 1 << 26, 1 << 35] as [UInt64])
  func `then a number of any length can be set and restored`(_ number: UInt64) async throws {
    let frame = try #require(try await Self.frames().dropFirst(3).first)
    let changed = try #require(FLACFrame.renumbered(frame, as: number))
    #expect(FLACFrame.number(of: changed) == number)
    #expect(FLACFrame.renumbered(changed, as: 3) == frame)
  }

  @Test func `then bytes that are not a frame have no number`() {
    #expect(FLACFrame.number(of: Array(repeating: 0xFF, count: 20)) == nil)
    #expect(FLACFrame.number(of: [0xFF, 0xF8]) == nil)
  }

  @Test(arguments: [0, 1, 130, 3000] as [UInt64])
  func `when one is silent then it still has a number and a checksum`(
    _ number: UInt64
  ) throws {
    // 224 samples of 16 bits at 8 kHz, all of them zero: the 38th block.
    let frame: [UInt8] = [0xFF, 0xF8, 0x64, 0x08, 38, 0xDF, 0x20, 0, 0, 0, 0x63, 0x0F]
    #expect(FLACFrame.isWhole(frame))
    let made = try #require(FLACFrame.renumbered(frame, as: number))
    #expect(FLACFrame.number(of: made) == number)
    #expect(FLACFrame.renumbered(made, as: 38) == frame)
  }

  @Test func `when the last one is silent then it is presented, and cut`() async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.flac"), folder.path(of: "cut.flac"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "aevalsrc=0:s=8000:d=2.3", "-c:a", "flac", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.damage.isEmpty)
    #expect(clip.facts.durations.presented?.length == MediaDuration(23, 10))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(2)))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .flac)
    let cut = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(cut.facts.durations.presented?.length == MediaDuration(3, 2))
    let first = try #require(cut.source.tracks.first?.coded.packets.indices.first)
    try cut.source.prepare([0: [first..<first + 1]])
    #expect(FLACFrame.number(of: try cut.source.bytes(ofTrack: 0, first)) == 0)
  }

  @Test func `when they are cut then they begin at zero, and hold the same samples`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.flac")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:seed=4", "-c:a", "flac",
      "-frame_size", "4800", path,
    ])
    let output = folder.path(of: "cut.flac")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try clip.cut(
      CutRequest(range: `Given a file made by an encoder`.range(25..<75)),
      to: Array(output.utf8), as: .flac)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(report.plan.length == MediaDuration(2))
    #expect(written.facts.durations.presented?.length == MediaDuration(2))
    #expect(written.facts.durations.declared?.length == MediaDuration(2))
    #expect(written.facts.durations.presented?.start == .zero)
    let cut = try await EncodedClip.ffmpeg(["-v", "error", "-i", output, "-f", "s16le", "-"])
    let all = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"])
    #expect(cut.errText.isEmpty)
    #expect(cut.out == Array(all.out[96_000..<288_000]))
  }
}
