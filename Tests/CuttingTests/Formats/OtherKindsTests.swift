import ExactTime
import Foundation
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting
@testable import Probing

/// Formats that store information elsewhere, or packets that last longer than their content.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given formats with special rules` {
  private static let pictures = [
    "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4",
  ]

  private static func cut(
    _ path: String, from: MediaTime, to: MediaTime, into output: String
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: from, to: to))
    let ending = try #require(output.split(separator: ".").last)
    let container = try #require(OutputContainer(nameEnding: String(ending)))
    return try clip.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: container)
  }

  @Test func `when uncompressed audio of several parts goes into QuickTime then it has one edit`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mov")
    _ = try await EncodedClip.ffmpeg(
      Self.pictures + [
        "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "mjpeg", "-c:a",
        "pcm_s16le", path,
      ])
    let output = folder.path(of: "cut.mov")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let ranges = [(51, 76), (0, 23), (70, 90)].compactMap {
      MediaTimeRange(from: MediaTime($0, 25), to: MediaTime($1, 25))
    }
    var request = CutRequest(range: ranges[0], verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    _ = try clip.cut(request, to: Array(output.utf8), as: .mov)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(written.facts.tracks.first { $0.kind == .audio }?.edits.count == 1)
    func sound(_ path: String) async throws -> [UInt8] {
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"])
        .out
    }
    let source = try await sound(path)
    // 1,920 two-byte samples a frame.
    let wanted = [51..<76, 0..<23, 70..<90].flatMap {
      source[($0.lowerBound * 3840)..<($0.upperBound * 3840)]
    }
    #expect(try await sound(output) == wanted)
  }

  @Test(arguments: [
    ("dv", ["-vf", "scale=720:576", "-c:v", "dvvideo", "-pix_fmt", "yuv420p"]),
    ("3gp", ["-vf", "scale=176:144", "-c:v", "h263"]),
  ])
  func `when Matroska identifies its codec only by a tag then it is written there`(
    _ ending: String, _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(Self.pictures + words + [path])
    let output = folder.path(of: "cut.mkv")
    let report = try Self.cut(path, from: MediaTime(1), to: MediaTime(2), into: output)
    #expect(report.plan.frames == 25)
    let run = try await EncodedClip.ffmpeg(["-v", "warning", "-i", output, "-f", "framemd5", "-"])
    let lines = String(decoding: run.out, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { !$0.hasPrefix("#") } == 25)
  }

  /// SVT-AV1 encodes only the Main profile.
  @Test(arguments: ["yuv444p", "gbrp", "yuv422p10le"])
  func `when its video is AV1 of a higher profile then the edges are re-encoded`(
    _ format: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg(
      Self.pictures + [
        "-t", "2", "-pix_fmt", format, "-c:v", "libaom-av1", "-cpu-used", "8", "-g", "10",
        "-usage", "realtime", path,
      ])
    let output = folder.path(of: "cut.mkv")
    let report = try Self.cut(path, from: MediaTime(1, 5), to: MediaTime(8, 5), into: output)
    #expect(report.plan.frames == 35)
    #expect(report.plan.encodedFrames == 5)
    let run = try await EncodedClip.ffmpeg(["-v", "warning", "-i", output, "-f", "framemd5", "-"])
    #expect(run.errText.isEmpty)
    let lines = String(decoding: run.out, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { !$0.hasPrefix("#") } == 35)
  }

  @Test func `when a last packet of samples is shorter than a tick then it ends there`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mka")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3:a=0.4", "-c:a",
      "pcm_s16le", path,
    ])
    let output = folder.path(of: "cut.mka")
    // Packets of 1,024 samples, and 20 more: 0.4 ms.
    _ = try Self.cut(
      path, from: MediaTime(2048, 48000), to: MediaTime(22548, 48000), into: output)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    let length = try #require(facts.durations.presented?.length)
    let wrong = try (length - MediaDuration(20500, 48000)).checkedMagnitude()
    #expect(wrong <= MediaDuration(1, 1000))
  }

  @Test func `when IN is within a frame of Ogg then the cut begins with all of it`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogv")
    _ = try await EncodedClip.ffmpeg(Self.pictures + ["-c:v", "libtheora", "-g", "10", path])
    let output = folder.path(of: "cut.ogv")
    let report = try Self.cut(path, from: MediaTime(653, 1000), to: MediaTime(2), into: output)
    let track = try #require(report.plan.tracks.first)
    #expect(track.reasons.contains(.beginsWithFrame))
    // The encoder leaves out pictures that equal the one before.
    let source = try Self.times(path).filter { $0 >= MediaTime(16, 25) && $0 < MediaTime(2) }
    let start = try #require(source.first)
    #expect(
      try Self.times(output)
        == source.map { try MediaTime(seconds: $0.distance(from: start).seconds) })
  }

  @Test func `when garbage precedes an MP3 then it is cut as without it`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "whole.mp3")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a",
      "libmp3lame", "-write_xing", "0", "-id3v2_version", "0", path,
    ])
    let garbage = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 37 % 251) }
    let broken = folder.path(of: "broken.mp3")
    try folder.write(garbage + fileBytes(path), to: "broken.mp3")
    for (source, output) in [(path, "one.mp3"), (broken, "other.mp3")] {
      _ = try Self.cut(
        source, from: MediaTime(1), to: MediaTime(3), into: folder.path(of: output))
    }
    let (one, other) = (
      try fileBytes(folder.path(of: "one.mp3")), try fileBytes(folder.path(of: "other.mp3"))
    )
    #expect(one == other)
  }

  /// The presentation times of the packets of the first track.
  private static func times(_ path: String) throws -> [MediaTime] {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let coded = try #require(clip.source.tracks.first).coded
    return try coded.packets.map { try coded.time(atTick: $0.pts) }
  }

  @Test(arguments: [("proxy", "apco"), ("standard", "apcn"), ("4444", "ap4h")])
  func `when ProRes is cut into Matroska then its profile is stated`(
    _ profile: String, _ tag: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mov")
    let format = profile == "4444" ? "yuv444p10le" : "yuv422p10le"
    _ = try await EncodedClip.ffmpeg(
      Self.pictures + ["-c:v", "prores_ks", "-profile:v", profile, "-pix_fmt", format, path])
    let output = folder.path(of: "cut.mkv")
    _ = try Self.cut(path, from: MediaTime(1), to: MediaTime(2), into: output)
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(pictures.count == 25)
    #expect(log.isEmpty, "\(log)")
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(written.source.tracks.first?.configuration == Array(tag.utf8))
  }

  @Test(arguments: ["ac3", "eac3"], [1990, 2000, 2010, 2020, 2030, 2040, 2050] as [Int64])
  func `when packets last longer than their audio then a cut ends with the audio`(
    _ codec: String, _ end: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=4", "-c:a", codec, "-b:a", "192k",
      "-use_editlist", "0", path,
    ])
    // The media's ticks are doubled: packets of 32 ms state 64 ms.
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let name = Array("mdhd".utf8)
    let box = try #require(
      bytes.indices.dropLast(24).first { Array(bytes[$0..<$0 + 4]) == name })
    #expect(Array(bytes[box + 16..<box + 20]) == [0, 0, 0xBB, 0x80])
    bytes.replaceSubrange(box + 16..<box + 20, with: [0, 0, 0x5D, 0xC0])
    _ = try folder.write(bytes, to: "clip.mp4")
    let output = folder.path(of: "cut.mp4")
    _ = try Self.cut(path, from: MediaTime(1), to: MediaTime(end, 1000), into: output)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let length = try #require(written.facts.durations.presented?.length)
    #expect(written.facts.durations.declared?.length == length)
    // Up to OUT, or to the end of the sound before it, at most 32 ms earlier.
    let asked = MediaDuration(end - 1000, 1000)
    #expect(length <= asked)
    #expect(length >= asked - MediaDuration(33, 1000))
  }

  @Test func `when MP4 has parameter sets only in its samples then Matroska gets them`()
    async throws
  {
    let folder = try ScratchFolder()
    let stream = folder.path(of: "clip.h264")
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg(
      Self.pictures + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", stream])
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", stream, "-c", "copy", path])
    try Self.putStartCodes(into: path)
    let output = folder.path(of: "cut.mkv")
    _ = try Self.cut(path, from: MediaTime(1), to: MediaTime(3), into: output)
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(pictures.count == 50)
    #expect(log.isEmpty, "\(log)")
  }

  /// Replaces lengths by start codes, and removes the configuration.
  private static func putStartCodes(into path: String) throws {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let table = try #require(clip.source.native).table(ofTrack: 0)
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    for sample in 0..<table.count {
      var place = Int(try #require(table.offset(sample)))
      let end = place + Int(table.sizes[sample])
      while place < end {
        let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 1])
        place += 4 + length
      }
    }
    let name = Array("avcC".utf8)
    let box = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == name })
    bytes.replaceSubrange(box..<box + 4, with: Array("free".utf8))
    try Data(bytes).write(to: URL(filePath: path))
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given MP3 whose frames use the bit reservoir` {
  private static func samples(_ path: String) async throws -> [Int] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-",
    ])
    #expect(run.errText.isEmpty, "\(run.errText)")
    return HeardAudio.samples(run.out).map { Int($0) }
  }

  @Test(arguments: [("48000", "2"), ("44100", "1"), ("22050", "2"), ("22050", "1")])
  func `when it is cut into Matroska then only its first window differs`(
    _ rate: String, _ channels: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mp3")
    // Intermittent noise uses the bits that quiet frames leave in the reservoir.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=4:seed=3:a=0.4", "-af",
      "tremolo=f=9:d=0.95", "-ac", channels, "-c:a", "libmp3lame", "-b:a", "64k", path,
    ])
    let output = folder.path(of: "cut.mka")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let source = try await Self.samples(path)
    for start in 0..<8 as Range<Int64> {
      let from = MediaTime(15 + start, 10)
      let range = try #require(MediaTimeRange(from: from, to: MediaTime(3)))
      _ = try clip.cut(
        CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .matroska,
        replaces: true)
      let cut = try await Self.samples(output)
      // Its position in the source.
      let about = (15 + Int(start)) * Int(rate)! / 10
      let place = try #require(
        (about..<about + 4000).min { first, second in
          Self.distance(source, first + 6000, cut, 6000)
            < Self.distance(source, second + 6000, cut, 6000)
        })
      // One frame, and the filter bank's overlap.
      let worst = (1152 + 512..<6000).map { abs(source[place + $0] - cut[$0]) }.max()
      #expect(try #require(worst) <= 4, "from \(from)")
    }
  }

  private static func distance(_ one: [Int], _ place: Int, _ other: [Int], _ at: Int) -> Int {
    (0..<48).reduce(0) { $0 + abs(one[place + $1] - other[at + $1]) }
  }
}
