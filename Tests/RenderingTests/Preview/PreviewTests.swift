import ExactTime
import Foundation
import MediaFacts
import Probing
import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(2))) struct `Given a preview of a video, segment by segment` {
  /// Opened, with its origin and what is presented, counted from there.
  private static func opened(
    _ name: String
  ) throws -> (path: [UInt8], facts: MediaFacts, origin: MediaTime, end: MediaTime) {
    let path = Array(SampleClips.path(name).utf8)
    let facts = try Prober().probe(.file(path: path))
    let presented = try #require(facts.durations.presented)
    return (
      path, facts, try #require(presented.start), MediaTime(seconds: presented.length.seconds)
    )
  }

  /// Whole seconds, and the rest.
  private static func seconds(until end: MediaTime) throws -> [MediaTimeRange] {
    let count = try Int64(end.seconds.rounded(.up))
    return try (0..<count).map { second in
      try #require(
        MediaTimeRange(from: MediaTime(second), to: min(MediaTime(second + 1), end)))
    }
  }

  /// The text that a program writes about a segment.
  private func reported(_ bytes: [UInt8], _ words: [String]) async throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.path + "/preview-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/segment.mp4"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let run = try await ProgramRun(
      words.map { Array(($0 == "SEGMENT" ? path : $0).utf8) })
    #expect(run.err.isEmpty, "\(String(decoding: run.err, as: UTF8.self))")
    return run.out
  }

  @Test(arguments: [
    "vfr.mp4", "ntsc.mp4", "open-gop.mp4", "hevc.mp4", "broadcast.ts", "late-start.mp4",
  ])
  func `then each shows the frames of its time, from its first instant on`(
    _ name: String
  ) async throws {
    let (path, _, origin, end) = try Self.opened(name)
    let track = try PictureTrack(path, origin: origin)
    let preview = try PreviewPictures(track, size: .within(width: 320, height: 320))
    for range in try Self.seconds(until: end).prefix(2) {
      let starts = (0..<track.frameCount).map { track.frame(number: $0).start }
        .filter { range.start < $0 && $0 < range.end }
      let text = try await reported(
        preview.segment(range),
        [
          "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts", "-of",
          "csv=p=0", "SEGMENT",
        ])
      let ticks = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        .compactMap { Int64($0.filter { $0 != "," }) }
      let wanted = try ([range.start] + starts).map {
        try $0.seconds.multiplied(by: Rational(90_000)).rounded(.nearest)
      }
      // A frame may begin less than half a tick after the segment's start.
      #expect(ticks == wanted || [wanted[0]] + wanted.dropFirst(2) == ticks, "\(range)")
    }
  }

  @Test(arguments: ["b-frames.mp4", "broadcast.ts", "live.webm"])
  func `then its audio is that of the file, sample by sample across the segments`(
    _ name: String
  ) async throws {
    let (path, facts, origin, end) = try Self.opened(name)
    let preview = PreviewAudio(try AudioTrack(path, facts: facts, origin: origin))
    var heard: [Int16] = []
    for range in try Self.seconds(until: end) {
      let bytes = try preview.segment(range)
      heard += try await samples(bytes)
    }
    let rate = try #require(facts.tracks.first { $0.kind == .audio }?.audio?.sampleRate)
    let channels = try #require(facts.tracks.first { $0.kind == .audio }?.audio?.channels)
    let all = try end.seconds.multiplied(by: Rational(Int64(rate))).rounded(.up)
    #expect(Int64(heard.count) == all * Int64(channels))
    // A segment requested out of order begins where its container states, which may be a
    // millisecond off, and AAC's noise substitution differs.
    let late = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let alone = try await samples(
      PreviewAudio(AudioTrack(path, facts: facts, origin: origin)).segment(late))
    let place = Int(rate) * Int(channels)
    #expect(alone.count == place)
    let most = Int(rate) / 1000
    let difference = HeardAudio.difference(
      of: alone, in: heard, near: place, step: Int(channels), atMost: most)
    #expect(difference < 100)
    // And it is that of another decoder, where the video begins at its own origin.
    guard name == "b-frames.mp4" else { return }
    let other = try await ProgramRun(
      ["ffmpeg", "-v", "error", "-i", SampleClips.path(name), "-f", "s16le", "-"]
        .map { Array($0.utf8) })
    let decoded = HeardAudio.samples(other.out)
    #expect(zip(decoded, heard).allSatisfy { abs(Int32($0) - Int32($1)) <= 1 })
  }

  private func samples(_ bytes: [UInt8]) async throws -> [Int16] {
    HeardAudio.samples(
      try await reported(
        bytes,
        ["ffmpeg", "-v", "error", "-i", "SEGMENT", "-f", "s16le", "-c:a", "pcm_s16le", "-"]))
  }

  @Test func `when the audio has ended then later segments are silent for their whole duration`()
    async throws
  {
    let (path, facts, origin, end) = try Self.opened("b-frames.mp4")
    let preview = PreviewAudio(try AudioTrack(path, facts: facts, origin: origin))
    for second in 0..<2 {
      let start = try end.advanced(by: MediaDuration(Int64(second)))
      let range = try MediaTimeRange(from: start, length: MediaDuration(1))
      let heard = try await samples(preview.segment(range))
      #expect(heard.count == 44_100 && heard.allSatisfy { $0 == 0 })
    }
  }
}
