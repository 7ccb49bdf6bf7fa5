import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: Judged.folder != nil, "\(Judged.absence)"), .timeLimit(Sample.limit))
struct `Given files from other projects that were once cut incorrectly` {
  private static func open(_ name: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(Judged.path(name).utf8)))
  }

  /// From 25 to 70 percent of what is presented.
  private static func range(of clip: OpenedFile) throws -> MediaTimeRange {
    let length = try #require(clip.facts.durations.presented?.length)
    return try #require(
      MediaTimeRange(
        from: MediaTime(seconds: length.scaled(by: Rational(1, 4)).seconds),
        to: MediaTime(seconds: length.scaled(by: Rational(7, 10)).seconds)))
  }

  private static func cut(
    _ clip: OpenedFile, _ mode: CutMode, as ending: String, in folder: ScratchFolder
  ) throws -> (report: CutReport, written: OpenedFile, path: String) {
    let path = folder.path(of: "cut." + ending)
    let container = try #require(OutputContainer(nameEnding: ending))
    let report = try clip.cut(
      CutRequest(range: range(of: clip), mode: mode), to: Array(path.utf8), as: container,
      replaces: true)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    return (report, written, path)
  }

  /// The number of pictures that FFmpeg decodes from a track, and its error output.
  private static func count(_ path: String, _ track: Int) async throws -> (Int, String) {
    let run = try await EncodedClip.ffmpeg([
      "-v", "warning", "-i", path, "-map", "0:v:\(track)", "-fps_mode", "passthrough", "-f",
      "framemd5", "-",
    ])
    let log = run.errText.split(separator: "\n").filter { $0.contains("rror") }
    return (run.outText.split(separator: "\n").count { !$0.hasPrefix("#") }, log.joined())
  }

  struct Way: Sendable, CustomTestStringConvertible {
    var name: String
    var mode: CutMode
    var ending: String
    var testDescription: String { "\(name), \(mode), into \(ending)" }
  }

  /// For each file, one cut with copied frames and one that re-encodes all of them.
  static let ways = Sample.of(
    [
      "androidx+media/sample_2_byte_NAL_length.mp4", "androidx+media/mv_with_2_top_shots.mp4",
      "jcodec+jcodec/cat_key_clip.mp4",
    ].flatMap { name in
      [CutMode.smart, .reencode].flatMap { mode in
        ["mp4", "mov", "mkv", "ts"].map { Way(name: name, mode: mode, ending: $0) }
      }
    }, 1, ofEach: { $0.name + "\($0.mode)" })

  @Test(arguments: ways)
  func `when they are cut then every frame of the plan decodes, in every container`(
    _ way: Way
  ) async throws {
    let clip = try Self.open(way.name)
    let folder = try ScratchFolder()
    let (report, written, path) = try Self.cut(clip, way.mode, as: way.ending, in: folder)
    let tracks = report.plan.tracks.filter { $0.kind == .video && $0.dropped == nil }
    #expect(!tracks.isEmpty)
    for (number, track) in tracks.enumerated() {
      let (pictures, log) = try await Self.count(path, number)
      #expect(pictures == track.packets)
      #expect(log.isEmpty, "\(log)")
    }
    guard way.ending != "ts" else { return }
    let presented = try #require(written.facts.durations.presented?.length)
    let error = try presented.subtracting(report.plan.length).checkedMagnitude()
    #expect(error <= MediaDuration(1, 1000))
  }

  @Test func `when frames have long durations in WebM then report, file and header agree`() throws {
    let clip = try Self.open("sindresorhus+file-type/fixture-null.webm")
    for ending in ["webm", "mkv"] {
      let (report, written, _) = try Self.cut(clip, .smart, as: ending, in: ScratchFolder())
      for length in [
        try #require(written.facts.durations.presented?.length),
        try #require(written.facts.durations.declared?.length),
      ] {
        let error = try length.subtracting(report.plan.length).checkedMagnitude()
        #expect(error <= MediaDuration(1, 1000))
      }
      #expect(written.source.tracks[0].statedFrameRate == Rational(30))
    }
  }

  @Test(arguments: ["mp4", "mkv"])
  func `when one frame is on screen for all of the range then the cut is that frame`(
    _ ending: String
  ) async throws {
    let clip = try Self.open("mozilla+firefox-esr-140/uneven_frame_durations.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(3)))
    let folder = try ScratchFolder()
    let path = folder.path(of: "cut." + ending)
    let report = try clip.cut(
      CutRequest(range: range), to: Array(path.utf8),
      as: try #require(OutputContainer(nameEnding: ending)))
    #expect(report.plan.tracks.first { $0.kind == .video }?.packets == 1)
    #expect(report.plan.length == MediaDuration(1))
    #expect(try await Self.count(path, 0) == (1, ""))
  }

  @Test(arguments: [
    "mozilla+firefox-esr-140/test_case_1351094.mp4", "abema+go-mp4/sample_qt.mp4",
  ])
  func `when the source is damaged then that is reported, with the place`(_ name: String) throws {
    for mode in [CutMode.smart, .reencode] {
      for ending in ["mp4", "mkv"] {
        let error = #expect(throws: MediaError.self) {
          _ = try Self.cut(try Self.open(name), mode, as: ending, in: ScratchFolder())
        }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("the source is damaged") == true)
        #expect(error?.message.contains(where: \.isNumber) == true)
      }
    }
  }
}
