import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// 4 s with a keyframe every 0.48 s, of which 0 to 1.92 and 2.88 to 3.84 are shown.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file whose edit lists have several segments` {
  private struct Clip {
    let folder: ScratchFolder
    let whole: String
    let edited: String

    init(_ name: String, _ words: [String], pause: Double = 0) async throws {
      folder = try ScratchFolder()
      whole = folder.path(of: name)
      _ = try await EncodedClip.ffmpeg(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-f", "lavfi", "-i",
          "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libx264", "-bf", "2", "-x264-params",
          "keyint=12:min-keyint=12:scenecut=0", "-pix_fmt", "yuv420p",
        ] + words + [whole])
      var edits = [EditedMovie.Edit(from: 0, lasting: 1.92), .init(from: 2.88, lasting: 0.96)]
      if pause > 0 { edits.insert(.init(from: nil, lasting: pause), at: 1) }
      let bytes = EditedMovie(try fileBytes(whole), edits).bytes
      edited = try folder.write(bytes, to: "edited-" + name)
    }

    func cut(_ from: MediaTime, _ to: MediaTime, into name: String) throws -> String {
      let output = folder.path(of: name)
      let range = try #require(MediaTimeRange(from: from, to: to))
      _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(edited.utf8))).cut(
        CutOrder(CutRequest(range: range), to: Array(output.utf8)))
      return output
    }

    func samples(of path: String) async throws -> ArraySlice<UInt8> {
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"])
        .out[...]
    }
  }

  @Test(arguments: [
    (48, 144, 12..<36), (0, 192, 0..<48), (192, 288, 72..<96), (240, 288, 84..<96),
  ])
  func `when a range is within one of them then it is cut as of any file`(
    _ from: Int64, _ to: Int64, _ frames: Range<Int>
  ) async throws {
    let clip = try await Clip("clip.mov", ["-c:a", "pcm_s16le"])
    let output = try clip.cut(MediaTime(from, 100), MediaTime(to, 100), into: "cut.mov")
    #expect(
      try await EncodedClip.pictures(of: output)
        == Array(EncodedClip.pictures(of: clip.whole)[frames]))
    // A frame has 1,920 samples of two bytes.
    let sound = try await clip.samples(of: clip.whole)
    #expect(
      try await clip.samples(of: output)
        == sound[frames.lowerBound * 3840..<frames.upperBound * 3840])
  }

  @Test func `when the ends are inside of groups then each frame is there once, and audio in time`()
    async throws
  {
    let clip = try await Clip("clip.mp4", ["-c:a", "aac"])
    let output = try clip.cut(MediaTime(2), MediaTime(27, 10), into: "cut.mp4")
    let facts = try Prober().probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(depth: .frames))
    #expect(facts.durations.presented?.length == MediaDuration(7, 10))
    #expect(facts.tracks[0].frameCount == 18)
    #expect(facts.damage.isEmpty)
  }

  @Test func `when a range shows several of them then they follow each other without a gap`()
    async throws
  {
    let clip = try await Clip("clip.mov", ["-c:a", "pcm_s16le"])
    let output = try clip.cut(MediaTime(144, 100), MediaTime(240, 100), into: "cut.mov")
    let whole = try await EncodedClip.pictures(of: clip.whole)
    #expect(try await EncodedClip.pictures(of: output) == Array(whole[36..<48] + whole[72..<84]))
    let sound = try await clip.samples(of: clip.whole)
    #expect(
      try await Array(clip.samples(of: output))
        == Array(sound[36 * 3840..<48 * 3840] + sound[72 * 3840..<84 * 3840]))
    let facts = try Prober().probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(depth: .frames))
    #expect(facts.durations.presented?.length == MediaDuration(96, 100))
    #expect(facts.damage.isEmpty)
  }

  @Test func `when a part with a title shows several of them then it is one chapter`() async throws
  {
    let clip = try await Clip("clip.mov", ["-c:a", "pcm_s16le"])
    let output = clip.folder.path(of: "cut.mkv")
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(22, 10))))
    request.join(try #require(MediaTimeRange(from: MediaTime(22, 10), to: MediaTime(25, 10))))
    request.entitle(["One", "Two"])
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(clip.edited.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.chapters.map(\.title) == ["One", "Two"])
    #expect(facts.chapters.map(\.start) == [.zero, MediaTime(12, 10)])
  }

  @Test func `when nothing is shown between two of them then either is cut, and not both`()
    async throws
  {
    let clip = try await Clip("clip.mov", ["-c:a", "pcm_s16le"], pause: 0.5)
    let output = try clip.cut(MediaTime(242, 100), MediaTime(338, 100), into: "cut.mov")
    #expect(
      try await EncodedClip.pictures(of: output)
        == Array(EncodedClip.pictures(of: clip.whole)[72..<96]))
    #expect(throws: MediaError.self) {
      try clip.cut(MediaTime(1), MediaTime(338, 100), into: "both.mov")
    }
  }
}
