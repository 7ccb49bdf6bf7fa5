import ExactTime
import ISOMedia
import MediaEngine
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

/// Some muxers state only decoding times: FFmpeg's copy of a raw stream, and VLC.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an MP4 of reordered pictures without presentation times` {
  /// Four seconds; FFmpeg stamps a raw stream in stored order.
  private func clip(_ codec: [String], _ kind: String, in folder: ScratchFolder) async throws
    -> String
  {
    let (raw, path) = (folder.path(of: "raw." + kind), folder.path(of: "clip.mp4"))
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v"] + codec
        + ["-g", "25", "-bf", "3", raw])
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-r", "25", "-i", raw, "-c", "copy", path])
    return path
  }

  private static func pictures(_ path: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray",
      "-",
    ]).out
  }

  @Test(arguments: ["mp4", "mkv"], ["h264", "hevc"])
  func `when it is cut then its pictures are in display order`(
    _ ending: String, _ kind: String
  ) async throws {
    let folder = try ScratchFolder()
    let codec =
      kind == "h264" ? ["libx264"] : ["libx265", "-x265-params", "log-level=none:open-gop=0"]
    let path = try await clip(codec, kind, in: folder)
    let whole = try await Self.pictures(folder.path(of: "raw." + kind))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(29, 10)))
    let output = folder.path(of: "cut." + ending)
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == 61)
    // FFmpeg's edit hides as many pictures as have guessed timestamps below zero.
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let shown = try #require(facts.durations.presented?.length.seconds)
    let hidden = try 100 - Int(shown.multiplied(by: Rational(25)).rounded(.down))
    // From 0.48 s on, which is on screen at IN, up to 2.88 s.
    let first = hidden + 12
    try expect(try await Self.pictures(output), toBe: first..<first + 61, of: whole)
  }

  private func expect(_ cut: [UInt8], toBe frames: Range<Int>, of whole: [UInt8]) throws {
    let size = 160 * 96
    try #require(cut.count == frames.count * size)
    for (place, frame) in frames.enumerated() {
      let mine = cut[place * size..<(place + 1) * size]
      let theirs = whole[frame * size..<(frame + 1) * size]
      let difference = zip(mine, theirs).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(difference < size * 2, "frame \(frame)")
    }
  }

  /// Old versions of VLC lost the first byte of the encoder's SEI message, which made it look like
  /// an IDR slice.
  @Test
  func
    `when bytes that cannot be a slice come first then the order is read from the slices after them`()
    async throws
  {
    let folder = try ScratchFolder()
    var bytes = try fileBytes(try await clip(["libx264"], "h264", in: folder))
    // Unregistered user data (ITU-T H.264, D.1.7), of x264's length.
    let message = try #require(bytes.firstRange(of: [6, 5, 0xFF, 0xFF]))
    bytes.replaceSubrange(message, with: [0x65, 0xFF, 0xFF, 0xFF])
    let path = try folder.write(bytes, to: "odd.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(3, 2), to: MediaTime(29, 10)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(
        CutRequest(range: range, verification: .full),
        to: Array(folder.path(of: "cut.mp4").utf8)))
    #expect(report.plan.frames == 36)
    #expect(report.plan.tracks.first.map { $0.encoded < $0.packets } == true)
  }

  @Test func `when it is probed then a note reports where the order comes from`() async throws {
    let folder = try ScratchFolder()
    let path = try await clip(["libx264"], "h264", in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.notes.contains { $0.id == .untimedPictures })
  }

  /// HEVC that begins with a CRA picture, whose leading pictures no decoder shows.
  @Test func `when its first pictures cannot be shown then the others are still in order`()
    async throws
  {
    let folder = try ScratchFolder()
    let (raw, late) = (folder.path(of: "raw.hevc"), folder.path(of: "late.hevc"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", "libx265",
      "-preset", "ultrafast", "-x265-params",
      "log-level=none:open-gop=1:keyint=28:min-keyint=28:scenecut=0:bframes=3:b-adapt=0"
        + ":repeat-headers=1",
      raw,
    ])
    // From the second GOP on: its parameter sets precede it.
    let bytes = try fileBytes(raw)
    let sets = bytes.indices.dropLast(5).filter {
      bytes[$0..<$0 + 4].elementsEqual([0, 0, 0, 1]) && bytes[$0 + 4] >> 1 & 63 == 32
    }
    try #require(sets.count > 2)
    _ = try folder.write(Array(bytes[sets[1]...]), to: "late.hevc")
    let path = folder.path(of: "late.mp4")
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-r", "25", "-i", late, "-c", "copy", path])
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.notes.contains { $0.id == .untimedPictures })
    // Three of 75 are not shown; FFmpeg's guessed times put two pictures before zero.
    #expect(facts.tracks.first?.frameCount == 72)
    #expect(facts.durations.presented?.start == MediaTime(1, 25))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(2)))
    let output = folder.path(of: "cut.mkv")
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    try expect(try await Self.pictures(output), toBe: 12..<50, of: try await Self.pictures(late))
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given pictures whose display order is their decoding order` {
  /// Without stated times readers have to find the order (``ISOSampleOrder``).
  @Test(arguments: [("mp4", false), ("mov", false), ("mp4", true)])
  func `when a part is written then it states when they are shown`(
    _ ending: String, _ isFragmented: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let encoded = EncodedClip(
      testDescription: "H.264 without B pictures", ending: "mkv",
      words: ["-c:v", "libx264", "-bf", "0", "-g", "10"])
    let path = try await encoded.make(in: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(8, 5)))
    var request = CutRequest(range: range)
    request.isFragmented = isFragmented
    let output = folder.path(of: "cut." + ending)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let movie = try ISOMovie(reading: FileBytes(InputFile(path: Array(output.utf8))))
    let track = try #require(movie.tracks.first)
    #expect(track.timing.statesPresentation)
    #expect(!track.timing.isReordered)
  }
}
