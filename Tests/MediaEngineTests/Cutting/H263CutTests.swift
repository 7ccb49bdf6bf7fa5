import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given H.263 or a codec that grew out of it` {
  struct Film: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var name: String
    var size = "176x144"
    var words: [String]
    var output: String
  }

  static let films = [
    Film(
      testDescription: "H.263 in 3GP", name: "film.3gp", words: ["-c:v", "h263"],
      output: "cut.mp4"),
    Film(
      testDescription: "H.263 of a size of its own", name: "film.mov", size: "160x128",
      words: ["-c:v", "h263p"], output: "cut.mov"),
    Film(
      testDescription: "Sorenson's in FLV", name: "film.flv", words: ["-c:v", "flv1"],
      output: "cut.mkv"),
    Film(
      testDescription: "Windows Media Video 7", name: "film.wmv", words: ["-c:v", "wmv1"],
      output: "cut.mkv"),
    Film(
      testDescription: "Windows Media Video 8", name: "film.wmv", words: ["-c:v", "wmv2"],
      output: "cut.mkv"),
    Film(
      testDescription: "Windows Media Video 8 with a loop filter", name: "film.avi",
      words: ["-c:v", "wmv2", "-flags", "+loop"], output: "cut.avi"),
    Film(
      testDescription: "MPEG-4 as Microsoft had it", name: "film.avi",
      words: ["-c:v", "msmpeg4"], output: "cut.avi"),
  ]

  /// 20 pictures from the middle; neither end is a keyframe.
  @Test(arguments: Sample.of(films, 4))
  func `then its edges are re-encoded, and every picture is where it was`(
    _ film: Film
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: film.name)
    let source = "testsrc2=size=\(film.size):rate=25:duration=2"
    _ = try await EncodedFilm.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", source, "-g", "12", "-q:v", "3"] + film.words + [path])
    let output = folder.path(of: film.output)
    let ending = try #require(film.output.split(separator: ".").last)
    let cutter = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(cutter.frameStarts)
    let range = try #require(
      MediaTimeRange(from: starts.start(ofFrame: 16), to: starts.start(ofFrame: 36)))
    let report = try cutter.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8),
      as: try #require(OutputContainer(nameEnding: String(ending))))
    #expect(report.plan.tracks[0].encodedHead == 8)
    #expect(report.plan.tracks[0].packets == 20)
    let (all, cut) = (try await pictures(path, film.size), try await pictures(output, film.size))
    try #require(cut.count == 20)
    for (place, picture) in cut.enumerated() {
      #expect(difference(picture, all[16 + place]) < 3, "picture \(place)")
    }
  }

  /// Black turns white: coefficients larger than most codecs of this family can code with a fine
  /// quantizer.
  @Test(
    arguments: Sample.of(
      films + [
        Film(
          testDescription: "MPEG-1", name: "film.mkv", words: ["-c:v", "mpeg1video"],
          output: "cut.mkv")
      ], 4))
  func `when hard edges move abruptly then what is re-encoded still looks like the source`(
    _ film: Film
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: film.name), folder.path(of: film.output))
    let source =
      "color=black:size=\(film.size):rate=25:duration=2,"
      + "geq=lum='235*mod(floor(X/22)*7+floor(Y/22)*13+floor(N*1.7)*5\\,2)':cb=128:cr=128"
    _ = try await EncodedFilm.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", source, "-g", "12", "-q:v", "6"] + film.words + [path])
    let cutter = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(cutter.frameStarts)
    let range = try #require(
      MediaTimeRange(from: starts.start(ofFrame: 16), to: starts.start(ofFrame: 36)))
    _ = try cutter.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let (all, cut) = (try await pictures(path, film.size), try await pictures(output, film.size))
    try #require(cut.count == 20)
    for (place, picture) in cut.enumerated() {
      let error = zip(picture, all[16 + place]).reduce(0) {
        $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
      }
      // 30 dB
      #expect(error < 65 * picture.count, "picture \(place)")
    }
  }

  /// Only luma, from an independent decoder.
  private func pictures(_ path: String, _ size: String) async throws -> [ArraySlice<UInt8>] {
    let run = try await EncodedFilm.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt", "gray",
      "-f", "rawvideo", "-",
    ])
    #expect(run.errText.isEmpty, "\(run.errText)")
    let count = size.split(separator: "x").compactMap { Int($0) }.reduce(1, *)
    return stride(from: 0, to: run.out.count, by: count).map {
      run.out[$0..<min($0 + count, run.out.count)]
    }
  }

  /// The mean absolute difference of a pixel.
  private func difference(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
    zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } / max(1, one.count)
  }
}
