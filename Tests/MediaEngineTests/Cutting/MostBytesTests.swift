import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.timeLimit(.minutes(1))) struct `Given a file that may have so many bytes` {
  private static func cut(
    _ mode: CutMode, atMost most: Int64?, to output: String
  ) throws -> CutReport {
    let film = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleFilms.path("b-frames.mp4").utf8)))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(3, 5), to: MediaTime(5, 2))), mode: mode)
    request.mostBytes = most
    return try film.cut(CutOrder(request, to: Array(output.utf8), replaces: true))
  }

  @Test(arguments: [CutMode.smart, .reencode, .editList], ["mp4", "mkv"])
  func `when it has one more then it is refused, and nothing of it is left`(
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
    let error = try #require(throws: CutError.self) {
      try Self.cut(mode, atMost: size - 1, to: other)
    }
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("\(size - 1) bytes"))
    #expect(folder.names == [Array("cut.\(ending)".utf8)])
  }

  @Test func `when what is copied is more already then the plan is refused`() throws {
    let error = try #require(throws: CutError.self) {
      try Self.cut(.smart, atMost: 1000, to: "/nowhere/cut.mp4")
    }
    #expect(error.code == .tooLarge)
  }
}
