import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given text subtitles in a codec that the output does not hold` {
  /// Four seconds of pictures with the text.
  private static func clip(
    _ text: [UInt8], codec: String, ending: String, in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: "clip." + ending)
    let pictures = folder.path(of: "pictures.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v",
      ending == "webm" ? "libvpx" : "libx264", "-bf", "0", "-g", "10", pictures,
    ])
    let texts = try folder.write(text, to: "text.srt")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", pictures, "-i", texts, "-map", "0", "-map", "1", "-c:v", "copy", "-c:s",
      codec, path,
    ])
    return path
  }

  private static func text(_ lines: [(String, String, String)]) -> [UInt8] {
    Array(
      lines.enumerated().map { "\($0 + 1)\n00:00:\($1.0) --> 00:00:\($1.1)\n\($1.2)\n\n" }
        .joined().utf8)
  }

  /// The subtitles as FFmpeg reads them, as lines of SubRip without numbers.
  private static func read(_ path: String) async throws -> [String] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:s", "-f", "srt", "-",
    ])
    return String(decoding: run.out, as: UTF8.self).split(whereSeparator: \.isNewline).map(
      String.init
    )
    .filter { Int($0) == nil }
  }

  private static func cut(
    _ path: String, _ ranges: [(Int64, Int64)], into output: String
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let all = try ranges.map {
      try #require(MediaTimeRange(from: MediaTime($0.0, 10), to: MediaTime($0.1, 10)))
    }
    var request = CutRequest(range: all[0], verification: .full)
    for range in all.dropFirst() { request.join(range) }
    return try clip.cut(CutOrder(request, to: Array(output.utf8)))
  }

  private static let overlapping = text([
    ("00,400", "01,200", "one"), ("01,000", "01,600", "two"), ("02,200", "02,800", "<i>three</i>"),
  ])

  /// Samples of MP4 cannot overlap: texts that are shown together share one.
  @Test(
    arguments: [("subrip", "mp4"), ("ass", "mov"), ("webvtt", "m4v"), ("subrip", "3gp")])
  func `when it is cut into MP4 then each line is shown when it was before`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(Self.overlapping, codec: codec, ending: "mkv", in: folder)
    let output = folder.path(of: "cut." + ending)
    let report = try Self.cut(path, [(8, 26)], into: output)
    let track = try #require(report.plan.tracks.last)
    #expect(track.encodedAs == "mov_text" && track.packets == 3 && track.encoded == 3)
    #expect(track.reasons == [.codecDoesNotFit])
    let read = try await Self.read(output)
    #expect(
      read == [
        "00:00:00,000 --> 00:00:00,200", "one",
        "00:00:00,200 --> 00:00:00,400", "one", "two",
        "00:00:00,400 --> 00:00:00,800", "two",
        "00:00:01,400 --> 00:00:01,800", "<i>three</i>",
      ])
  }

  @Test(arguments: [("mp4", "mkv", "subrip"), ("webm", "mkv", nil), ("mkv", "mkv", nil)])
  func `when it is cut into Matroska then timed text becomes SubRip, and other codecs stay`(
    _ ending: String, _ other: String, _ codec: String?
  ) async throws {
    let folder = try ScratchFolder()
    let own = ["mp4": "mov_text", "webm": "webvtt"][ending] ?? "ass"
    let text = Self.text([("00,400", "01,200", "one"), ("02,200", "02,800", "<b>two</b>")])
    let path = try await Self.clip(text, codec: own, ending: ending, in: folder)
    let output = folder.path(of: "cut." + other)
    let report = try Self.cut(path, [(8, 26)], into: output)
    #expect(report.plan.tracks.last?.encodedAs?.rawValue == codec)
    #expect(report.plan.tracks.last?.packets == 2)
    let read = try await Self.read(output)
    #expect(
      read == [
        "00:00:00,000 --> 00:00:00,400", "one",
        "00:00:01,400 --> 00:00:01,800", "<b>two</b>",
      ])
  }

  @Test func `when SubRip goes into WebM then it becomes WebVTT`() async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(Self.overlapping, codec: "webvtt", ending: "webm", in: folder)
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", clip, "-map", "0", "-c:v", "copy", "-c:s", "subrip", path,
    ])
    let output = folder.path(of: "cut.webm")
    let report = try Self.cut(path, [(8, 26)], into: output)
    #expect(report.plan.tracks.last?.encodedAs == "webvtt")
    let read = try await Self.read(output)
    #expect(
      read == [
        "00:00:00,000 --> 00:00:00,400", "one", "00:00:00,200 --> 00:00:00,800", "two",
        "00:00:01,400 --> 00:00:01,800", "<i>three</i>",
      ])
  }

  /// Shapes are drawn with coordinates, which are not text to read.
  @Test func `when ASS has shapes and styles then only its text is converted, with its styles`()
    async throws
  {
    let folder = try ScratchFolder()
    let line = "Dialogue: 0,0:00:00.50,0:00:02.00,"
    let script = [
      "[Script Info]", "ScriptType: v4.00+", "[V4+ Styles]",
      "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, "
        + "Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, "
        + "Shadow, Alignment, MarginL, MarginR, MarginV, Encoding",
      "Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1",
      "Style: Slanted,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,1,0,0,100,100,0,0,1,1,0,2,10,10,10,1",
      "[Events]",
      "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
      line + "Default,,0,0,0,,{\\pos(9,9)\\p1}m 0 0 l 100 0 100 100{\\p0}",
      line + "Default,,0,0,0,,{\\an8\\bord2}one",
      line + "Default,,0,0,0,,{\\an8}one",
      line + "Slanted,,0,0,0,,two",
    ]
    let text = try folder.write(Array(script.joined(separator: "\n").utf8), to: "text.ass")
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-i", text,
      "-map", "0", "-map", "1", "-c:v", "libx264", "-bf", "0", "-c:s", "ass", path,
    ])
    let output = folder.path(of: "cut.mp4")
    _ = try Self.cut(path, [(2, 30)], into: output)
    let read = try await Self.read(output)
    #expect(read == ["00:00:00,300 --> 00:00:01,800", "one<i>", "two</i>"])
  }

  @Test func `when parts are joined then no text stays on screen after its part`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(Self.overlapping, codec: "subrip", ending: "mkv", in: folder)
    let output = folder.path(of: "cut.mp4")
    _ = try Self.cut(path, [(4, 20), (0, 5), (18, 26)], into: output)
    let read = try await Self.read(output)
    #expect(
      read == [
        "00:00:00,000 --> 00:00:00,600", "one",
        "00:00:00,600 --> 00:00:00,800", "one", "two",
        "00:00:00,800 --> 00:00:01,200", "two",
        "00:00:02,000 --> 00:00:02,100", "one",
        "00:00:02,500 --> 00:00:02,900", "<i>three</i>",
      ])
  }

  /// FFmpeg's decoders refuse a packet with an invalid UTF-8 byte.
  @Test func `when it is not UTF-8 then what can be read of it is kept`() async throws {
    let folder = try ScratchFolder()
    var text = Self.text([("00,400", "01,200", "caf~ noir")])
    text[try #require(text.firstIndex(of: UInt8(ascii: "~")))] = 0xE9
    let path = try await Self.clip(
      Self.text([("00,400", "01,200", "caf~ noir")]), codec: "subrip", ending: "mkv", in: folder)
    var bytes = try fileBytes(path)
    let place = try #require(bytes.firstRange(of: Array("caf~".utf8)))
    bytes[place.upperBound - 1] = 0xE9
    let damaged = try folder.write(bytes, to: "damaged.mkv")
    let output = folder.path(of: "cut.mp4")
    _ = try Self.cut(damaged, [(2, 20)], into: output)
    let read = try await Self.read(output)
    #expect(
      read == ["00:00:00,200 --> 00:00:01,000", "caf\u{FFFD} noir"])
  }

  /// Timed text has a 16-bit length field (3GPP TS 26.245, 5.17).
  @Test func `when a line is longer than the output can hold then it is refused`()
    async throws
  {
    let folder = try ScratchFolder()
    let long = String(repeating: "x", count: 1 << 16)
    let path = try await Self.clip(
      Self.text([("00,400", "01,200", long)]), codec: "subrip", ending: "mkv", in: folder)
    let error = #expect(throws: MediaError.self) {
      try Self.cut(path, [(2, 20)], into: folder.path(of: "cut.mp4"))
    }
    #expect(error?.message.contains("track 2 (subrip)") == true)
    #expect(error?.code == .codecDoesNotFit)
  }

  /// Sound begins two seconds before the pictures, and a text ends before they do.
  @Test(arguments: ["mp4", "mkv"])
  func `when a line had ended before the first frame then it is not shown`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let text = try folder.write(
      Self.text([("00,500", "01,000", "early"), ("02,400", "03,000", "late")]), to: "text.srt")
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=duration=4", "-itsoffset", "2", "-f", "lavfi", "-i",
      "testsrc2=size=160x96:rate=25:duration=2", "-i", text, "-map", "0", "-map", "1", "-map", "2",
      "-c:a", "pcm_s16le", "-c:v", "libx264", "-bf", "0", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(range: try #require(MediaTimeRange(from: .zero, to: MediaTime(4))))
    request.tracks = TrackChoice(kinds: [.video, .subtitle])
    let output = folder.path(of: "cut." + ending)
    let report = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.tracks.first { $0.kind == .subtitle }?.packets == 1)
    let read = try await Self.read(output)
    #expect(read == ["00:00:00,400 --> 00:00:01,000", "late"])
  }

  /// In Matroska a text block need not state a duration (RFC 9559, 5.1.3.5.3): it lasts until the next.
  @Test(arguments: ["mp4", "mkv"])
  func `when lines state no duration then each is shown until the next, even at the same time`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      Self.text([
        ("00,400", "00,400", "one"), ("02,000", "02,000", "two"), ("02,000", "02,000", "three"),
      ]), codec: "subrip", ending: "mkv", in: folder)
    let output = folder.path(of: "cut." + ending)
    _ = try Self.cut(path, [(10, 30)], into: output)
    let read = try await Self.read(output)
    let both = "00:00:01,000 --> 00:00:02,000"
    #expect(
      read == ["00:00:00,000 --> 00:00:01,000", "one", both, "two"]
        + (ending == "mp4" ? ["three"] : [both, "three"]))
  }

  /// Without a duration it would be shown until the next.
  @Test func `when a line is shown for less than a millisecond then Matroska leaves it out`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      Self.text([("00,400", "01,000", "one"), ("02,200", "02,800", "two")]), codec: "mov_text",
      ending: "mp4", in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(9997, 10_000), to: MediaTime(3)))
    let output = folder.path(of: "cut.mkv")
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let read = try await Self.read(output)
    #expect(read.dropFirst() == ["two"])
  }

  @Test func `when text has characters that are markup in WebVTT then they are escaped`()
    async throws
  {
    let folder = try ScratchFolder()
    let text = try folder.write(
      Self.text([("00,400", "01,200", "a < b & <i>c > d</i>")]), to: "text.srt")
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2", "-i", text,
      "-map", "0", "-map", "1", "-c:v", "libvpx", "-c:s", "subrip", path,
    ])
    let output = folder.path(of: "cut.webm")
    _ = try Self.cut(path, [(2, 20)], into: output)
    #expect(
      try fileBytes(output).firstRange(of: Array("a &lt; b &amp; <i>c &gt; d</i>".utf8)) != nil)
  }

  /// QuickTime's own text has a different layout and handler.
  @Test func `when it is cut into QuickTime then it is a subtitle track there`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(Self.overlapping, codec: "subrip", ending: "mkv", in: folder)
    let output = folder.path(of: "cut.mov")
    _ = try Self.cut(path, [(8, 26)], into: output)
    let bytes = try fileBytes(output)
    for name in ["sbtl", "nmhd", "tx3g"] {
      #expect(bytes.firstRange(of: Array(name.utf8)) != nil, "\(name)")
    }
    #expect(bytes.firstRange(of: Array("gmhd".utf8)) == nil)
  }

  @Test(arguments: ["webvtt", "dvbsub", "libx264"])
  func `when a plan names another codec than the output's then it is refused`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(Self.overlapping, codec: "subrip", ending: "mkv", in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = Array(folder.path(of: "cut.mp4").utf8)
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2)))
    var plan = try clip.plan(CutOrder(CutRequest(range: range), to: output))
    let place = try #require(plan.parts[0].tracks.firstIndex { $0.textCodec != nil })
    plan.parts[0].tracks[place].textCodec = Codec(codec)
    let error = #expect(throws: MediaError.self) { try clip.cut(plan, to: output) }
    #expect(error?.code == .planDiffers)
  }
}
