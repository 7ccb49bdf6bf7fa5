import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a GIF` {
  private func clip(in folder: ScratchFolder) async throws -> OpenedFile {
    let path = folder.path(of: "clip.gif")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=1", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private func refusal(
    of clip: OpenedFile, from start: MediaTime, _ container: OutputContainer
  ) throws -> MediaError? {
    let range = try #require(MediaTimeRange(from: start, to: MediaTime(4, 5)))
    do throws(MediaError) {
      _ = try clip.plan(CutRequest(range: range), for: container)
      return nil
    } catch {
      return error
    }
  }

  @Test func `when a part of it goes elsewhere then the advice is what can be done`() async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(in: folder)
    #expect(try refusal(of: clip, from: .zero, .mov) == nil)
    let other = try #require(try refusal(of: clip, from: .zero, .matroska))
    #expect(other.hint?.contains(".mov") == true)
    #expect(other.hint?.contains("convert it first") == true)
    // It has one keyframe, so that there is no other to cut at.
    let middle = try #require(try refusal(of: clip, from: MediaTime(1, 2), .mov))
    #expect(middle.hint?.contains("only one keyframe") == true)
    #expect(middle.hint?.contains("Cut at keyframes") == false)
  }

  @Test func `when video has an encoder then nothing needs to be converted first`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=1", "-c:v", "libx264", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let other = try #require(try refusal(of: clip, from: .zero, .webm))
    #expect(other.hint?.contains("convert") == false)
  }
}
