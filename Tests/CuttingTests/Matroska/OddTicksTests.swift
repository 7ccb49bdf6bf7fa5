import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Matroska with a non-integer number of ticks a second` {
  @Test func `when it is cut into MP4 then its times are those of the source`() async throws {
    let folder = try ScratchFolder()
    let plain = folder.path(of: "plain.mkv")
    // Uneven times, so that they are not converted to a count of frames.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-vf",
      "setpts=PTS+0.003*mod(N\\,3)/TB", "-fps_mode", "vfr", "-enc_time_base", "1:1000", "-c:v",
      "libx264", "-bf", "0", "-g", "10", plain,
    ])
    var bytes = try fileBytes(plain)
    // TimestampScale (RFC 9559, 5.1.2.2): 333,333 ns instead of a million.
    let scale = try #require(bytes.firstRange(of: [0x2A, 0xD7, 0xB1, 0x83]))
    bytes.replaceSubrange(scale.upperBound..<scale.upperBound + 3, with: [0x05, 0x16, 0x15])
    let path = try folder.write(bytes, to: "clip.mkv")

    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2)))
    let request = CutRequest(range: range, verification: .full)
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.length == MediaDuration(2, 5))

    func frames(_ path: String) throws -> [MediaTime] {
      var options = ProbeOptions()
      options.wantsFrames = true
      let facts = try Prober().probe(.file(path: Array(path.utf8)), options: options)
      return facts.tracks[0].shownFrames.map(\.time)
    }
    let source = try frames(path).filter { $0 > range.start && $0 < range.end }
    let written = try frames(output)
    #expect(written.count == source.count + 1)
    for (frame, other) in zip(written.dropFirst(), source) {
      let error = try other.distance(from: frame).subtracting(MediaDuration(1, 10))
        .checkedMagnitude()
      #expect(error < MediaDuration(1, 1_000_000))
    }
  }
}
