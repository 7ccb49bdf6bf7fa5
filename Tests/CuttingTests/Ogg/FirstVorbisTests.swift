import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// The first packet of Vorbis only primes the second (Vorbis I, 4.3.8).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis whose first packet is at the very beginning` {
  /// As WebM muxers write it when the sound begins with the pictures.
  @Test func `when only its audio is cut into Ogg then it begins with the second packet`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i",
      "sine=r=44100:d=2", "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a",
      "libvorbis", "-af", "asetpts=PTS+0.02/TB", path,
    ])
    let output = folder.path(of: "cut.ogg")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(try #require(report.plan.parts.first).start > .zero)
    let difference = try report.length.subtracting(report.plan.length).checkedMagnitude()
    #expect(difference < MediaDuration(2, 1000))
  }

  /// A muxer may state a block duration that reaches beyond the next block.
  @Test func `when the next begins before its stated end then a cut begins there`() throws {
    let packets = [(0, 21), (5, 21), (26, 22), (48, 21)].map {
      CodedPacket(pts: $0.0, dts: $0.0, duration: $0.1, byteCount: 40, isKey: true)
    }
    let coded = CodedTrack(
      index: 0, kind: .audio, codec: "vorbis", grid: TickGrid(ticksPerSecond: 1000), origin: .zero,
      visible: 0..<69, packets: ContiguousArray(packets))
    var cut = AudioCut()
    cut.copied = 0..<4
    cut.length = MediaDuration(69, 1000)
    try cut.muteFirstPacket(coded)
    #expect(cut.hiddenStart == 5)
    #expect(cut.start == MediaTime(5, 1000))
    #expect(cut.length == MediaDuration(64, 1000))
  }
}
