import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given tags with statistics about a file` {
  private static func cut(_ path: String, to output: String) throws -> OpenedFile {
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
  }

  /// mkvmerge's statistics, which list themselves, and may have a language suffix; `BPS` is listed,
  /// `MOOD` is not.
  @Test(arguments: ["", "-eng"])
  func `when a track of Matroska is cut then tags that would be wrong for the part are left out`(
    _ language: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    let tags = [
      "BPS": "276953", "NUMBER_OF_FRAMES": "200", "_STATISTICS_WRITING_APP": "mkvmerge",
      "_STATISTICS_TAGS": "BPS DURATION NUMBER_OF_FRAMES", "MOOD": "calm",
    ]
    let source = try await EncodedClip.named("H.264, open groups").make(in: folder)
    var words = ["-v", "error", "-i", source, "-c", "copy"]
    for (key, value) in tags { words += ["-metadata:s:v", "\(key)\(language)=\(value)"] }
    _ = try await EncodedClip.ffmpeg(words + [path])
    let written = try Self.cut(path, to: folder.path(of: "cut.mkv"))
    let names = written.source.tracks[0].facts.tags.map { $0.key.uppercased() }
    #expect(names.filter { $0.hasPrefix("MOOD") }.count == 1)
    #expect(!names.contains { $0.hasPrefix("BPS") || $0.hasPrefix("NUMBER") })
    #expect(!names.contains { $0.hasPrefix("_STATISTICS") })
  }

  @Test func `when an audio file has a length tag then the part does not`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp3")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "libmp3lame", "-metadata",
      "TLEN=2000", "-metadata", "title=Two", path,
    ])
    let tags = try Self.cut(path, to: folder.path(of: "cut.mp3")).source.facts.tags
    #expect(tags.map { $0.key.lowercased() } == ["title"])
  }

  @Test func `when MP4 is cut into another container then its brands are left out`() async throws {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, open groups").make(in: folder)
    let tags = try Self.cut(path, to: folder.path(of: "cut.mkv")).source.facts.tags
    #expect(!tags.contains { $0.key.lowercased().hasSuffix("_brand") })
    #expect(!tags.contains { $0.key.lowercased().hasSuffix("_brands") })
  }
}
