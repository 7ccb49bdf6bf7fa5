import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Two-pass encodes have alternate reference frames, which are decoded and never shown (RFC 6386,
/// 9.1; VP9 bitstream, 6.2), and may be in separate packets.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given VP8 or VP9 with frames that are not shown` {
  private func clip(_ codec: String, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: codec == "libvpx" ? "clip.webm" : "clip.ivf")
    for pass in ["1", "2"] {
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=\(EncodedClip.width)x\(EncodedClip.height):rate=25:duration=4", "-c:v",
        codec,
        "-g", "50", "-b:v", "200k", "-auto-alt-ref", "1", "-lag-in-frames", "25", "-cpu-used", "4",
        "-pass", pass, "-passlogfile", folder.path(of: "log"), path,
      ])
    }
    guard codec == "libvpx-vp9" else { return path }
    return try folder.write(apart(try fileBytes(path)), to: "apart.ivf")
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// IVF with the frames of VP9's superframes (annex B) in separate packets.
  private func apart(_ file: [UInt8]) -> [UInt8] {
    var made = Array(file[..<32])
    var place = 32
    while place + 12 <= file.count {
      let stamp = file[(place + 4)..<(place + 12)]
      let packet = Array(file[(place + 12)..<(place + 12 + Self.number(file[place..<(place + 4)]))])
      place += 12 + packet.count
      var frames = [packet[...]]
      if let marker = packet.last, marker & 0xE0 == 0xC0 {
        let (count, width) = (Int(marker & 7) + 1, Int(marker >> 3 & 3) + 1)
        let index = packet.count - 1 - count * width
        var start = 0
        frames = (0..<count).map { frame in
          let size = Self.number(packet[(index + frame * width)..<(index + (frame + 1) * width)])
          defer { start += size }
          return packet[start..<(start + size)]
        }
      }
      for frame in frames {
        made += (0..<4).map { UInt8(truncatingIfNeeded: frame.count >> (8 * $0)) } + stamp + frame
      }
    }
    return made
  }

  @Test(arguments: ["libvpx", "libvpx-vp9"])
  func `when it is probed then only shown frames count`(_ codec: String) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(codec, in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let track = try #require(facts.tracks.first)
    #expect(track.frameCount == 100)
    #expect(track.durations.presented?.length == MediaDuration(4))
    #expect(!facts.notes.contains { $0.id == .variableFrameRate })
  }

  @Test(arguments: ["libvpx", "libvpx-vp9"], ["mkv", "webm"])
  func `when it is cut then the frames are the source's`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(codec, in: folder)
    let source = try await EncodedClip.pictures(path).pictures
    try #require(source.count == 100)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(30, 25), to: MediaTime(90, 25)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == 60)
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(log == "")
    try #require(pictures.count == 60)
    // From the keyframe on they are copied.
    #expect(pictures[20...].elementsEqual(source[50..<90]))
    let cut = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(cut.tracks.first?.durations.presented?.length == MediaDuration(12, 5))
  }

  @Test func `when VP8 is cut into AVI then it is refused, as AVI cannot hold them`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await clip("libvpx", in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.avi").utf8)))
    }
    #expect(error?.code == .codecDoesNotFit)
  }
}
