import ExactTime
import Foundation
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting
@testable import Rendering

/// A file, a part of it, and the part's pictures found in both ways.
private struct Previewed {
  let preview: CutPreview
  let shown: LoopingPictures
  /// The written file, reopened by its name.
  let written: PictureTrack
  let report: CutReport

  init(_ path: String, _ range: MediaTimeRange, _ folder: ScratchFolder, as ending: String) throws {
    let container = try #require(OutputContainer(nameEnding: ending))
    let output = Array(folder.path(of: "cut." + ending).utf8)
    let request = CutRequest(range: range)
    func clip() throws -> OpenedFile {
      try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    }
    let source = try clip()
    preview = try source.preview(source.plan(request, for: container), beside: output)
    shown = try LoopingPictures(preview.track)
    report = try clip().cut(request, to: output, as: container, replaces: true)
    written = try PictureTrack(output)
  }

  /// The picture that the screen shows at an instant of the source.
  func shown(at time: MediaTime, isRestart: Bool = false) throws -> Picture {
    try shown.picture(at: preview.time(ofSource: time), size: .full, isRestart: isRestart).picture
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a preview of what a cut would write` {
  /// Files for each way to join edges, and for each way to find a frame by its time.
  static let clips = EncodedClip.all.filter {
    [
      "H.264, open groups", "H.264, interlaced", "HEVC, open groups with RADL pictures", "VP9",
      "H.264, closed groups without reordering in Matroska", "MPEG-2", "MPEG-4 part 2",
    ].contains($0.testDescription)
  }

  @Test(arguments: Sample.of(Array(zip(clips, 1...UInt64(clips.count))), 4))
  func `when any part is previewed then its pictures are those of the written file`(
    _ encoded: EncodedClip, _ seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let source = try PictureTrack(Array(path.utf8))
    for _ in 0..<3 {
      let first = Int.random(in: 0..<95, using: &generator)
      let frames = first..<Int.random(in: first + 1...min(100, first + 30), using: &generator)
      let range = try `Given a file made by an encoder`.range(frames)
      let both = try Previewed(path, range, folder, as: encoded.ending)
      let comment: Comment = "\(generator): \(frames)"
      #expect(both.preview.plan == both.report.plan, comment)
      try #require(both.preview.track.frameCount == frames.count, comment)
      try #require(both.written.frameCount == frames.count, comment)
      let reader = try FrameReader(both.written, size: .full)
      for (place, number) in frames.enumerated() {
        // On a different clock than the written file's, and at any instant of the frame.
        let time = source.frame(number: number)
        let lead = try source.frame(number: 0).start.distance(from: .zero)
        let middle = try time.start.advanced(
          by: time.end.distance(from: time.start).scaled(by: Rational(1, 2)))
        let shown = try both.shown(at: middle.moved(back: lead))
        let truth = try #require(try reader.next(), comment)
        #expect(truth.frame.number == place, comment)
        #expect(shown == truth.picture, "\(generator): frame \(place) of \(frames)")
      }
      try #require(try reader.next() == nil, comment)
    }
  }

  @Test func `when the loop starts again then the first picture of the result is there`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, open groups").make(in: folder)
    let range = try `Given a file made by an encoder`.range(17..<50)
    let both = try Previewed(path, range, folder, as: "mp4")
    let first = try both.shown(at: range.start)
    try both.shown.prepare(start: both.preview.time(ofSource: range.start), size: .full)
    #expect(try both.shown(at: MediaTime(49, 25)) != first)
    #expect(try both.shown(at: range.start, isRestart: true) == first)
    #expect(try both.shown(at: MediaTime(18, 25)) != first)
  }

  @Test func `when edges are re-encoded then its seams are where these meet the copied pictures`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, open groups").make(in: folder)
    let range = try `Given a file made by an encoder`.range(17..<50)
    let preview = try Previewed(path, range, folder, as: "mp4").preview
    let track = try #require(preview.plan.tracks.first)
    try #require(track.encodedHead > 0)
    #expect(preview.seams.first == MediaTime(Int64(17 + track.encodedHead), 25))
    #expect(preview.seams.count == (track.encodedTail > 0 ? 2 : 1))
  }

  @Test func `then it leaves no file, and touches none`() async throws {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, open groups").make(in: folder)
    let target = folder.path(of: "there.mp4")
    try Data([1, 2, 3]).write(to: URL(filePath: target))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let request = CutRequest(range: try `Given a file made by an encoder`.range(3..<20))
    _ = try clip.preview(clip.plan(request, for: .mp4), beside: Array(target.utf8))
    #expect(try fileBytes(target) == [1, 2, 3])
    #expect(folder.names == [Array("clip.mp4".utf8), Array("there.mp4".utf8)])
  }

  @Test func `when there is no video then that is reported`() throws {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false })
      .open(.file(path: Array(SampleClips.path("sound.m4a").utf8)))
    let error = #expect(throws: MediaError.self) {
      let request = CutRequest(range: try `Given a file made by an encoder`.range(3..<20))
      _ = try clip.preview(
        clip.plan(request, for: .m4a), beside: Array(folder.path(of: "o.m4a").utf8))
    }
    #expect(error?.code.rawValue == "noPicture")
  }
}
