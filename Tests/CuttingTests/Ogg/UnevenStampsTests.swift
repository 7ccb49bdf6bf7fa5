import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Browsers stamp packets of a recording when they arrive.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Opus whose packets are stamped unevenly` {
  @Test(arguments: ["mka", "mp4"], ["opus", "mka", "wav"])
  func `then it is cut, and plays back to back where packets have no timestamps`(
    _ source: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let plain = folder.path(of: "plain.mka")
    let path = folder.path(of: "sound." + source)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=6:seed=3:a=0.4", "-c:a", "libopus",
      "-frame_duration", "60", plain,
    ])
    // Every second packet comes 9 ms late.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:a",
      "setts=pts=PTS+9*mod(N\\,2):dts=DTS+9*mod(N\\,2)", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(13, 10), to: MediaTime(4)))
    let output = folder.path(of: "cut." + ending)
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let difference = try report.length.subtracting(MediaDuration(27, 10)).checkedMagnitude()
    #expect(difference < MediaDuration(3, 100))
  }

  @Test func `when they are uneven by less than a third of a packet then Ogg has copies of them`()
    async throws
  {
    let folder = try ScratchFolder()
    let (plain, path) = (folder.path(of: "plain.mka"), folder.path(of: "sound.mka"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=6", "-c:a", "libopus", "-frame_duration",
      "60", plain,
    ])
    // By up to 15 ms from packet to packet.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:a",
      "setts=pts=PTS+5*mod(N*7\\,5):dts=DTS+5*mod(N*7\\,5)", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(5)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.opus").utf8)))
    #expect(try #require(report.plan.tracks.first).encoded == 0)
  }
}

/// Ogg counts pictures: a tick is as long as a frame.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Theora in Ogg at 29.97 frames a second` {
  @Test(arguments: ["mov", "mkv"])
  func `when IN is within a frame then the cut begins there, with that frame`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30000/1001:d=4", "-c:v", "libtheora",
      path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(109, 100), to: MediaTime(209, 100)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut." + ending).utf8)))
    #expect(report.plan.parts[0].start == MediaTime(109, 100))
    // Frame 32 is on screen at IN, and 62 is the last that begins before OUT.
    #expect(report.plan.frames == 31)
  }
}
