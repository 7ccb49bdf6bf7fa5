import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedFilm.isPossible, Comment(rawValue: EncodedFilm.absence)),
  .timeLimit(.minutes(2)))
struct `Given a cut with edges re-encoded of a file whose pictures change their size` {
  /// Two seconds of one size, then two of another, as a recording that goes on after a change has it:
  /// each in a transport stream of its own, one put behind the other.
  private func film(_ words: [String], in folder: ScratchFolder) async throws -> String {
    var bytes: [UInt8] = []
    for (offset, size) in ["160x96", "96x72"].enumerated() {
      let part = folder.path(of: size + ".ts")
      _ = try await EncodedFilm.ffmpeg(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=2",
          "-pix_fmt", "yuv420p",
        ] + words + ["-output_ts_offset", String(offset * 2), part])
      bytes += try fileBytes(part)
    }
    let both = try folder.write(bytes, to: "both.ts")
    let path = folder.path(of: "film.mkv")
    _ = try await EncodedFilm.ffmpeg(["-v", "error", "-i", both, "-c", "copy", path])
    return path
  }

  private static let h264 = [
    "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25",
  ]
  private static let hevc = [
    "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
    "log-level=error:keyint=25:bframes=2",
  ]

  private func open(_ path: String) throws -> CutFilm {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private func refuse(_ range: MediaTimeRange, of source: CutFilm, in folder: ScratchFolder) throws
  {
    for ending in ["mkv", "mp4"] {
      let output = folder.path(of: "cut." + ending)
      let container = try #require(OutputContainer(nameEnding: ending))
      let error = #expect(throws: CutError.self) {
        try source.cut(CutRequest(range: range), to: Array(output.utf8), as: container)
      }
      #expect(error?.code == .notCuttable, "\(String(describing: error))")
      #expect((try? fileBytes(output)) == nil)
    }
  }

  @Test(arguments: [h264, hevc])
  func `when the edge lies behind the change then it is refused for that, and no file is written`(
    _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let source = try open(try await film(words, in: folder))
    let ranges = (80..<84).compactMap {
      MediaTimeRange(from: MediaTime(25, 25), to: MediaTime($0, 25))
    }
    let edged = try ranges.filter {
      try source.plan(CutRequest(range: $0), for: .matroska).tracks[0].encodedTail > 0
    }
    try refuse(try #require(edged.first), of: source, in: folder)
  }

  @Test(arguments: [h264, hevc])
  func `when all of it lies behind the change then it is refused for that, and no file is written`(
    _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let source = try open(try await film(words, in: folder))
    let range = try #require(MediaTimeRange(from: MediaTime(63, 25), to: MediaTime(90, 25)))
    try refuse(range, of: source, in: folder)
  }

  @Test(arguments: [h264, hevc])
  func `then in front of the change it is cut`(_ words: [String]) async throws {
    let folder = try ScratchFolder()
    let source = try open(try await film(words, in: folder))
    let range = try #require(MediaTimeRange(from: MediaTime(13, 25), to: MediaTime(38, 25)))
    let output = folder.path(of: "cut.mkv")
    let report = try source.cut(
      CutRequest(range: range), to: Array(output.utf8), as: .matroska)
    #expect(report.plan.frames == 25)
    let (pictures, log) = try await EncodedFilm.pictures(output)
    #expect(pictures.count == 25)
    #expect(log.isEmpty, "\(log)")
  }
}
