import ExactTime
import ISOMedia
import Support
import Testing
import Trimming

@testable import Cutting
@testable import Probing

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file of QuickTime, MP4 or M4A` {
  struct Pair: Sendable, CustomTestStringConvertible {
    var source: String
    var output: String
    var brand: FourCC
    var testDescription: String { "\(source) into \(output)" }
  }

  static let pairs = [
    Pair(source: "mov", output: "mp4", brand: "isom"),
    Pair(source: "mov", output: "m4v", brand: "isom"),
    Pair(source: "mov", output: "m4a", brand: "M4A "),
    Pair(source: "mov", output: "mov", brand: "qt  "),
    Pair(source: "mp4", output: "mov", brand: "qt  "),
    Pair(source: "mp4", output: "mp4", brand: "isom"),
    Pair(source: "mp4", output: "m4a", brand: "M4A "),
    Pair(source: "m4a", output: "mp4", brand: "isom"),
    Pair(source: "m4a", output: "mov", brand: "qt  "),
    Pair(source: "m4a", output: "m4a", brand: "M4A "),
    Pair(source: "mp4", output: "3gp", brand: "3gp6"),
    Pair(source: "3gp", output: "mp4", brand: "isom"),
    Pair(source: "3g2", output: "3gp", brand: "3g2b"),
    Pair(source: "mp4", output: "f4v", brand: "isom"),
  ]

  /// Two seconds of AAC, in MP4 and QuickTime with pictures that state their colors.
  private static func make(_ ending: String, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip." + ending)
    let picture = [
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:d=2", "-pix_fmt", "yuv420p", "-c:v",
      "libx264", "-preset", "ultrafast", "-g", "12", "-color_primaries", "bt709", "-color_trc",
      "bt709", "-colorspace", "bt709", "-movflags", "write_colr", "-timecode", "01:00:00:00",
    ]
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3:a=0.4"]
        + (ending == "m4a" ? [] : picture)
        + ["-c:a", "aac", "-metadata:s:a", "language=spa", "-metadata", "title=A title", path])
    return path
  }

  @Test(arguments: pairs)
  func `when it is cut then it is what its extension promises`(_ pair: Pair) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(pair.source, in: folder)
    let output = folder.path(of: "cut." + pair.output)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(611, 1000), to: MediaTime(1577, 1000)))
    _ = try clip.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8),
      as: try #require(OutputContainer(nameEnding: pair.output)))

    let bytes = try fileBytes(output)
    let movie = try ISOMovie(reading: InMemoryBytes(bytes))
    let boxes = try ISOSourceBoxes(reading: InMemoryBytes(bytes))
    let isQuickTime = pair.brand == "qt  "
    #expect(movie.majorBrand == pair.brand)
    #expect(movie.compatibleBrands.contains("qt  ") == isQuickTime)
    let sound = try #require(movie.tracks.firstIndex { $0.handler == "soun" })
    let entry = try #require(boxes.tracks[sound].sampleEntries.first)
    // QuickTime describes coded sound in version 1 with a `wave` box, ISO 14496-12 in version 0.
    #expect(entry.bytes[16...17].elementsEqual(isQuickTime ? [0, 1] : [0, 0]))
    #expect(entry.payload(of: "esds") != nil)
    for (track, boxes) in zip(movie.tracks, boxes.tracks) where track.handler == "vide" {
      // FFmpeg's muxer states none there.
      if pair.source.hasPrefix("3g") { continue }
      let colours = try #require(boxes.sampleEntries.first?.payload(of: "colr"))
      if !isQuickTime { #expect(colours.starts(with: "nclx".utf8) && colours.count == 11) }
    }

    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.container.format == (isQuickTime ? "mov" : "mp4"))
    #expect(facts.tracks.first { $0.kind == .audio }?.language == "spa")
    #expect(facts.tags.contains { $0.key == "title" && $0.value == "A title" })
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-map", "0:a", "-f", "null", "-",
    ])
    #expect(run.errText.isEmpty)
  }
}
