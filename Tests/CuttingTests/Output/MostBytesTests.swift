import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.timeLimit(.minutes(1))) struct `Given a limit on the size of a file` {
  private static func cut(
    _ mode: CutMode, atMost most: Int64?, to output: String
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path("b-frames.mp4").utf8)))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(3, 5), to: MediaTime(5, 2))), mode: mode)
    request.mostBytes = most
    return try clip.cut(CutOrder(request, to: Array(output.utf8), replaces: true))
  }

  @Test(arguments: [CutMode.smart, .reencode, .editList], ["mp4", "mkv"])
  func `when the output would be one byte larger then it is refused, and nothing is left`(
    _ mode: CutMode, _ ending: String
  ) throws {
    guard mode != .editList || ending == "mp4" else { return }
    let folder = try ScratchFolder()
    let path = folder.path(of: "cut." + ending)
    _ = try Self.cut(mode, atMost: nil, to: path)
    let size = Int64(try fileBytes(path).count)
    _ = try Self.cut(mode, atMost: size, to: path)
    #expect(Int64(try fileBytes(path).count) == size)
    let other = folder.path(of: "other." + ending)
    let error = try #require(throws: MediaError.self) {
      try Self.cut(mode, atMost: size - 1, to: other)
    }
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("\(size - 1) bytes"))
    #expect(folder.names == [Array("cut.\(ending)".utf8)])
  }

  // The header of every ADTS packet is stored only once in MP4.
  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
  func `when it is smaller than what is copied then it is written`() async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.aac"), folder.path(of: "cut.m4a"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anullsrc", "-t", "20", "-c:a", "aac", "-b:a", "8k", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: .zero, to: MediaTime(20))))
    let order = CutOrder(request, to: Array(output.utf8), replaces: true)
    let copied = try clip.cut(order).plan.copiedBytes
    let size = Int64(try fileBytes(output).count)
    #expect(size < copied)
    request.mostBytes = size
    _ = try clip.cut(CutOrder(request, to: Array(output.utf8), replaces: true))
    #expect(Int64(try fileBytes(output).count) == size)
  }
}
