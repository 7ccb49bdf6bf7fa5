import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Recorders with proprietary sound, and headers that lost the description of a track.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a track of an unknown codec next to a known one` {
  /// Sound whose codec ID in Matroska is unknown, or that MP4 does not describe (`stsd`).
  private static func clip(_ ending: String, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", SampleClips.path("b-frames.mp4"), "-c", "copy", path,
    ])
    var bytes = try fileBytes(path)
    let (name, other) = ending == "mkv" ? ("A_AAC", "A_XYZ") : ("stsd", "free")
    let last = try #require(bytes.lastRange(of: name))
    bytes.replaceSubrange(last, with: Array(other.utf8))
    _ = try folder.write(bytes, to: Array(("clip." + ending).utf8))
    return path
  }

  @Test(arguments: ["mkv", "mp4"], ["mkv", "mp4"])
  func `when a part is cut then only the known one is written, and that is reported`(
    _ source: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(source, in: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut." + ending).utf8)))
    let sound = try #require(report.plan.tracks.first { $0.kind == .audio })
    #expect(sound.dropped == "its codec is not known")
    #expect((25...26).contains(report.plan.frames))
  }

  @Test(arguments: ["mkv", "mp4"])
  func `when only it is selected then the refusal says why`(_ source: String) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(source, in: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(range: range)
    request.tracks = TrackChoice(kinds: [.audio])
    let error = #expect(throws: MediaError.self) {
      try clip.cut(CutOrder(request, to: Array(folder.path(of: "cut.mkv").utf8)))
    }
    #expect(error?.message.contains("not known") == true, "\(String(describing: error))")
  }
}

extension [UInt8] {
  fileprivate func lastRange(of name: String) -> Range<Int>? {
    let name = Array(name.utf8)
    return indices.dropLast(name.count - 1).last { self[$0..<$0 + name.count].elementsEqual(name) }
      .map { $0..<$0 + name.count }
  }
}
