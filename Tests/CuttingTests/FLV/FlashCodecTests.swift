import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

/// What FLV holds in addition to H.264 and AAC (Video File Format Specification 10.1, E.4).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an FLV of older codecs` {
  private static func open(_ path: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static func clip(_ sound: String, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.flv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=22050:d=4:seed=3:a=0.4", "-f", "lavfi", "-i",
      "testsrc2=s=160x120:r=25:d=4", "-map", "0", "-map", "1", "-ac", "1", "-c:a", sound, "-c:v",
      "flv1", "-g", "25", path,
    ])
    return path
  }

  /// No header lists its tracks: a reader numbers them in the order of their first packets.
  @Test(arguments: ["libmp3lame", "pcm_s16le", "adpcm_swf", "nellymoser"])
  func `then audio and video are kept, whichever comes first in the source or the part`(
    _ sound: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try Self.open(try await Self.clip(sound, in: folder))
    var order: Set<[String]> = []
    for start in stride(from: Int64(20), through: 44, by: 3) {
      let output = folder.path(of: "cut\(start).flv")
      let range = try #require(
        MediaTimeRange(from: MediaTime(start, 25), to: MediaTime(start + 30, 25)))
      let report = try clip.cut(
        CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
      #expect((30...31).contains(report.plan.frames))
      order.insert(try Self.open(output).facts.tracks.map(\.kind.rawValue))
    }
    #expect(order.allSatisfy { $0.sorted() == ["audio", "video"] })
    if sound == "libmp3lame" { #expect(order.count == 2) }
  }

  /// The configuration of H.264 and of AAC precedes all packets, whichever comes first.
  @Test(arguments: [("libx264", "libmp3lame"), ("flv1", "aac"), ("libx264", "pcm_s16le")], [0, 1])
  func `when only one track has a configuration then it is the first`(
    _ codecs: (pictures: String, sound: String), _ late: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    let delay = ["-itsoffset", "0.7"]
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error"] + (late == 0 ? delay : [])
        + ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3"] + (late == 1 ? delay : [])
        + [
          "-f", "lavfi", "-i", "anoisesrc=r=22050:d=3:seed=3:a=0.4", "-c:v", codecs.pictures, "-g",
          "25", "-pix_fmt", "yuv420p", "-c:a", codecs.sound, path,
        ])
    let clip = try Self.open(path)
    for start in [Int64(0), 3, 9, 14] {
      let range = try #require(
        MediaTimeRange(from: MediaTime(start, 10), to: MediaTime(start + 13, 10)))
      _ = try clip.cut(
        CutOrder(CutRequest(range: range), to: Array(folder.path(of: "\(start).flv").utf8)))
    }
  }

  /// SoundRate has four values (E.4.2.1).
  @Test(arguments: [(8000, false), (11_025, true), (16_000, false), (44_100, true)])
  func `when the sample rate has no code then it is refused`(
    _ rate: Int, _ fits: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.wav")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=2:seed=3:a=0.4", "-c:a",
      "pcm_s16le", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(1)))
    let clip = try Self.open(path)
    if fits {
      let output = folder.path(of: "cut.flv")
      _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    } else {
      let error = #expect(throws: MediaError.self) {
        try clip.plan(CutRequest(range: range), for: .flv)
      }
      #expect(error?.code == .codecDoesNotFit)
    }
  }

  /// RIFF and Matroska have no place for its header when block sizes differ.
  @Test func `when Flash's ADPCM goes elsewhere then it is refused where no reader knows it`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try Self.open(try await Self.clip("adpcm_swf", in: folder))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    for container in [OutputContainer.matroska, .avi] {
      let error = #expect(throws: MediaError.self) {
        try clip.plan(CutRequest(range: range), for: container)
      }
      #expect(error?.code == .codecDoesNotFit)
    }
  }

  /// A keyframe of VP6: 288 lines of 368 pixels, eight of which are cropped.
  private static let key: [UInt8] = [0x80, 0x00, 0x36, 18, 23, 18, 23, 1, 2, 3, 4]

  /// With an alpha channel (5; E.4.3.1) the offset of its partition precedes the pictures (E.4.3.3).
  @Test(arguments: ["flv", "mkv"], [false, true])
  func `when its video is VP6 then its size is reported and kept`(
    _ ending: String, _ hasAlpha: Bool
  ) throws {
    let folder = try ScratchFolder()
    // One in five is a keyframe.
    let tags = (0..<50).map { number in
      let isKey = number % 5 == 0
      let codec: UInt8 = hasAlpha ? 5 : 4
      let picture = isKey ? Array(Self.key.dropFirst()) : [0x80, 0x00, UInt8(number)]
      let alpha = hasAlpha ? [0, 0, UInt8(picture.count)] : []
      let packet =
        [(isKey ? 0x10 : 0x20) | codec, 0x80] + alpha + picture + (hasAlpha ? picture : [])
      return FLVBuilder.tag(9, at: number * 40, packet)
    }
    let path = try folder.write(FLVBuilder.file(tags), to: "clip.flv")
    let output = folder.path(of: "cut." + ending)
    let clip = try Self.open(path)
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(6, 5)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, mode: .copy), to: Array(output.utf8)))
    #expect(report.plan.frames == 20)
    for facts in [clip.facts, try Self.open(output).facts] {
      #expect(facts.tracks[0].codec == (hasAlpha ? "vp6a" : "vp6f"))
      #expect(facts.tracks[0].video?.width == 360)
      #expect(facts.tracks[0].video?.height == 288)
    }
  }

  @Test func `then a VP6 header is read with and without a separate partition`() {
    let plain = VideoHeader(vp6: Self.key[1...], cropped: 0x80)
    #expect(plain?.width == 360 && plain?.height == 288)
    let parted = VideoHeader(vp6: [0x01, 0x36, 9, 9, 18, 23, 18, 23], cropped: 0x05)
    #expect(parted?.width == 368 && parted?.height == 283)
    #expect(VideoHeader(vp6: [0x81, 0x36, 9, 9, 18, 23, 18, 23], cropped: 0) == nil)
    #expect(VideoHeader(vp6: Self.key[1..<7], cropped: 0) == nil)
    #expect(VideoHeader(vp6: [0, 0x36, 0, 23, 18, 23, 1, 2], cropped: 0) == nil)
  }
}
