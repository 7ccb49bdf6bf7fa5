import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given streams that a transport stream cannot hold` {
  private func check(_ path: String) throws {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(0), to: MediaTime(1)))
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range), for: .mpegts)
    }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.hasPrefix("These can hold it: .") == true)
    _ = try clip.plan(CutRequest(range: range), for: .matroska)
  }

  @Test func `when Opus channels are mapped differently then it is refused before it is cut`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3", "-ac", "3", "-c:a",
      "libopus", "-mapping_family", "255", path,
    ])
    try check(path)
  }

  /// FFmpeg's encoder couples two of their pairs, where three could be coupled.
  @Test func `when Opus channels are coupled differently then it is refused before it is cut`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3", "-af",
      "aformat=channel_layouts=6.1", "-c:a", "libopus", path,
    ])
    try check(path)
  }

  @Test(arguments: ["3.0", "quad", "5.0", "5.1", "6.1", "7.1"])
  func `when Opus of many channels is encoded then a reader finds them all`(
    _ layout: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.mkv"), folder.path(of: "cut.ts"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3", "-af",
      "aformat=channel_layouts=\(layout)", "-c:a", "libopus", "-mapping_family", "1", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(0), to: MediaTime(1)))
    var request = CutRequest(range: range)
    request.audio = .reencode
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.first?.audio?.channelLayout == layout)
  }

  @Test(arguments: ["2.1", "4.0", "5.1(side)"])
  func `when PCM has a layout that Opus lacks then it is converted to one of Opus`(
    _ layout: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.wav"), folder.path(of: "cut.opus"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3", "-af",
      "aformat=channel_layouts=\(layout)", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(0), to: MediaTime(1)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.durations.presented?.length == MediaDuration(1))
  }

  @Test func `when HEVC has a second layer then it is refused before it is cut`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-c:v", "libx265",
      "-x265-params", "log-level=error", path,
    ])
    var bytes = try fileBytes(path)
    // The video parameter set in hvcC: vps_max_layers_minus1 is 1.
    let box = try #require(bytes.firstRange(of: Array("hvcC".utf8))).upperBound
    let set = try #require(bytes[box...].firstRange(of: [0x40, 0x01, 0x0C])).lowerBound
    bytes[set + 3] = bytes[set + 3] & 0x0F | 0x10
    try check(try folder.write(bytes, to: "layered.mp4"))
  }
}
