import ExactTime
import Foundation
import MediaFacts
import Probing
import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(2))) struct `Given a video whose packets a browser can decode` {
  private static func opened(
    _ path: String
  ) throws -> (path: [UInt8], facts: MediaFacts, origin: MediaTime, end: MediaTime) {
    let path = Array(path.utf8)
    let facts = try Prober().probe(.file(path: path))
    let presented = try #require(facts.durations.presented)
    return (
      path, facts, try #require(presented.start), MediaTime(seconds: presented.length.seconds)
    )
  }

  /// Segments as a page requests them: each from where the one before ends.
  private func segments(
    until end: MediaTime, _ next: (MediaTimeRange) throws -> PreviewSegment?
  ) throws -> [PreviewSegment] {
    var found: [PreviewSegment] = []
    var at = MediaTime.zero
    while at < end {
      let range = try #require(
        MediaTimeRange(from: at, to: min(end, try at.advanced(by: MediaDuration(1)))))
      let made = try #require(try next(range), "\(range)")
      #expect(made.range.start <= at && at < made.range.end, "\(range) gave \(made.range)")
      found.append(made)
      at = made.range.end
    }
    return found
  }

  private func reported(_ segment: PreviewSegment, _ words: [String]) async throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.path + "/copied-\(UUID().uuidString).mp4"
    try Data(segment.bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try await ProgramRun(words.map { Array(($0 == "SEGMENT" ? path : $0).utf8) })
    #expect(run.err.isEmpty, "\(String(decoding: run.err, as: UTF8.self))")
    return run.out
  }

  /// The time and content of each picture, from decoding only the segment.
  private func pictures(
    _ segment: PreviewSegment
  ) async throws -> [(time: Rational, hash: Substring)] {
    let text = try await reported(
      segment,
      [
        "ffmpeg", "-v", "error", "-i", "SEGMENT", "-copyts", "-enc_time_base", "-1", "-f",
        "framehash",
        "-hash", "md5", "-",
      ])
    var scale = Rational(1, 1)
    var found: [(Rational, Substring)] = []
    for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("#tb 0: ") {
        scale = try #require(Rational(exactly: String(line.dropFirst(7))))
      }
      guard !line.hasPrefix("#") else { continue }
      let fields = line.split(whereSeparator: { $0 == "," || $0 == " " })
      let tick = try #require(Int64(fields[2]))
      let time = try Rational(tick).multiplied(by: scale)
      found.append((try time.subtracting(PreviewSegment.lead.seconds), fields[5]))
    }
    return found
  }

  /// The pictures of the whole file in display order.
  private func hashes(_ path: String) async throws -> [Substring] {
    let run = try await ProgramRun(
      [
        "ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f",
        "framehash", "-hash", "md5", "-",
      ].map { Array($0.utf8) })
    return String(decoding: run.out, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
      .map { $0.split(whereSeparator: { $0 == "," || $0 == " " })[5] }
  }

  @Test(arguments: [
    "b-frames.mp4", "broadcast.ts", "vfr.mp4", "ntsc.mp4", "hevc.mp4", "chapters.mkv",
    "fragmented.mp4",
  ])
  func `then each frame is in one segment, at its exact time and exactly as in the file`(
    _ name: String
  ) async throws {
    try await judge(SampleClips.path(name))
  }

  private func judge(_ file: String) async throws {
    let (path, _, origin, end) = try Self.opened(file)
    let track = try PictureTrack(path, origin: origin)
    let copied = CopiedPictures(track, until: end)
    let wanted = try await hashes(file)
    var shown = 0
    for segment in try segments(until: end, copied.segment) {
      #expect(segment.type.hasPrefix("video/mp4; codecs=\""))
      for (time, hash) in try await pictures(segment) {
        let frame = track.frame(number: shown)
        // The first is shown from the beginning.
        let start = shown == 0 ? Rational(0) : frame.start.seconds
        #expect(time == start && hash == wanted[shown], "frame \(shown) at \(time)")
        shown += 1
      }
    }
    #expect(shown == track.frameCount && shown == wanted.count)
  }

  @Test func `when AVI states only decoding times, then frames are shown in display order`()
    async throws
  {
    let path = FileManager.default.temporaryDirectory.path + "/copied-\(UUID().uuidString).avi"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let made = try await ProgramRun(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3", "-c:v",
        "libx264",
        "-g", "25", "-bf", "2", "-pix_fmt", "yuv420p", path,
      ].map { Array($0.utf8) })
    try #require(made.status == 0, "\(String(decoding: made.err, as: UTF8.self))")
    try await judge(path)
    // Stills too, from any frame.
    let track = try PictureTrack(Array(path.utf8))
    let grabber = try FrameGrabber(track)
    for number in [40, 3, 73, 26] {
      let grabbed = try grabber.picture(ofFrame: number, size: .full)
      #expect(grabbed.frame.number == number)
    }
  }

  @Test func `when an edit begins within a GOP, then what it hides is decoded and not shown`()
    async throws
  {
    let (path, _, origin, end) = try Self.opened(SampleClips.path("late-start.mp4"))
    let track = try PictureTrack(path, origin: origin)
    let copied = CopiedPictures(track, until: end)
    var starts: [Rational] = []
    for segment in try segments(until: end, copied.segment) {
      starts += try await pictures(segment).map(\.time)
    }
    let frames = (0..<track.frameCount).map { track.frame(number: $0).start.seconds }
    // A hidden picture lasts microseconds before the first visible one.
    let seen = zip(starts, starts.dropFirst()).filter { $1 > $0 + Rational(1, 1000) }.map(\.0)
    #expect(seen.count + 1 == frames.count)
    for (time, frame) in zip(seen.dropFirst(), frames.dropFirst()) { #expect(time == frame) }
  }

  @Test func `when keyframes are far apart, then nothing is copied`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/copied-\(UUID().uuidString).mp4"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let made = try await ProgramRun(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=40", "-c:v",
        "libx264",
        "-g", "1000", "-sc_threshold", "0", "-pix_fmt", "yuv420p", path,
      ].map { Array($0.utf8) })
    try #require(made.status == 0, "\(String(decoding: made.err, as: UTF8.self))")
    try #expect(Self.firstSegment(path) == nil)
  }

  @Test func `when no browser has the codec in MP4, then nothing is copied`() throws {
    try #expect(Self.firstSegment(SampleClips.path("live.webm")) == nil)
  }

  private static func firstSegment(_ path: String) throws -> Int? {
    let (path, _, origin, end) = try opened(path)
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    return try CopiedPictures(PictureTrack(path, origin: origin), until: end).segment(range)?.bytes
      .count
  }

  @Test(arguments: ["b-frames.mp4", "broadcast.ts"])
  func `then each audio packet comes once, where it is heard`(_ name: String) async throws {
    let (path, facts, origin, end) = try Self.opened(SampleClips.path(name))
    let track = try AudioTrack(path, facts: facts, origin: origin)
    let copied = CopiedAudio(track, until: end)
    let rate = try #require(facts.tracks.first { $0.kind == .audio }?.audio?.sampleRate)
    var sizes: [Int] = []
    var due: Int64?
    for segment in try segments(until: end, copied.segment) {
      #expect(segment.type == "audio/mp4; codecs=\"mp4a.40.2\"")
      let text = try await reported(
        segment,
        [
          "ffprobe", "-v", "error", "-show_entries", "packet=pts,size", "-of", "csv=p=0",
          "SEGMENT",
        ])
      for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
        let fields = line.split(separator: ",").compactMap { Int64($0) }
        try #require(fields.count == 2, "\(line)")
        #expect(due.map { $0 == fields[0] } ?? true)
        due = fields[0] + 1024
        sizes.append(Int(fields[1]))
      }
    }
    let all = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "packet=size", "-of",
        "csv=p=0", SampleClips.path(name),
      ].map { Array($0.utf8) })
    var stored = String(decoding: all.out, as: UTF8.self).split(whereSeparator: \.isNewline)
      .compactMap { Int($0.filter(\.isNumber)) }
    // ADTS headers are dropped.
    if name.hasSuffix(".ts") { stored = stored.map { $0 - 7 } }
    #expect(sizes == Array(stored.suffix(sizes.count)) && stored.count - sizes.count < 50)
    let last = try #require(due)
    let ended = try Rational(last).divided(by: Rational(Int64(rate)))
      .subtracting(PreviewSegment.lead.seconds)
    #expect(ended >= track.presented.end.seconds)
  }
}
