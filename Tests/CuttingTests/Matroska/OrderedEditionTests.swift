import Cutting
import Detection
import ExactTime
import MediaEngine
import MediaFacts
import Probing
import Rendering
import Support
import Testing
import Trimming

/// 4 s with a keyframe every 0.48 s, whose ordered edition plays 2.4 to 3.6 s, then 0.48 to 1.92 s; 3 to 3.4 s are
/// silent.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Matroska with an ordered edition` {
  private struct Clip {
    let folder: ScratchFolder
    let whole: String
    let edited: String

    /// - Parameter linked: adds a chapter of another file.
    init(linked: Bool = false) async throws {
      folder = try ScratchFolder()
      whole = folder.path(of: "clip.mkv")
      let chapters = try folder.write(
        Array(
          """
          ;FFMETADATA1
          [CHAPTER]
          TIMEBASE=1/100
          START=240
          END=360
          title=B
          [CHAPTER]
          TIMEBASE=1/100
          START=48
          END=192
          title=A

          """.utf8), to: "chapters.txt")
      _ = try await EncodedClip.ffmpeg(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-f", "lavfi", "-i",
          "anoisesrc=r=48000:d=4:seed=3:a=0.4,volume='if(between(t,3,3.4),0,1)':eval=frame", "-i",
          chapters, "-map_metadata", "2", "-map_chapters", "2", "-c:v", "libx264", "-bf", "2",
          "-x264-params", "keyint=12:min-keyint=12:scenecut=0", "-pix_fmt", "yuv420p", "-c:a",
          "pcm_s16le", whole,
        ])
      var bytes = try fileBytes(whole)
      let edition = try #require(bytes.firstRange(of: [0x45, 0xB9]))
      // EditionFlagDefault becomes EditionFlagOrdered.
      let flag = try #require(bytes[edition.upperBound...].firstRange(of: [0x45, 0xDB, 0x81, 1]))
      bytes[flag.lowerBound + 1] = 0xDD
      if linked {
        // ChapterDisplay becomes ChapterSegmentUUID.
        let display = try #require(bytes[flag.upperBound...].firstRange(of: [0x80, 0x89, 0x85]))
        bytes.replaceSubrange(
          display.lowerBound..<display.lowerBound + 3, with: [0x6E, 0x67, 0x88])
      }
      edited = try folder.write(bytes, to: "edited.mkv")
    }

    var facts: MediaFacts {
      get throws { try Prober().probe(.file(path: Array(edited.utf8)), options: ProbeOptions()) }
    }
  }

  @Test func `then what is presented is what the edition plays`() async throws {
    let facts = try await Clip().facts
    #expect(facts.durations.presented?.length == MediaDuration(264, 100))
    #expect(facts.tracks[0].frameCount == 66)
    #expect(facts.chapters.map(\.start) == [.zero, MediaTime(120, 100)])
  }

  @Test(arguments: [
    (24, 96, 66..<84, 0..<0), (96, 168, 84..<90, 12..<24), (0, 264, 60..<90, 12..<48),
  ])
  func `when a range is cut then it is that of the edition`(
    _ from: Int64, _ to: Int64, _ first: Range<Int>, _ second: Range<Int>
  ) async throws {
    let clip = try await Clip()
    let output = clip.folder.path(of: "cut.mkv")
    let range = try #require(
      MediaTimeRange(from: MediaTime(from, 100), to: MediaTime(to, 100)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(clip.edited.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let whole = try await EncodedClip.pictures(of: clip.whole)
    let frames = try await EncodedClip.pictures(of: output)
    #expect(frames.count == first.count + second.count)
    // Edges are encoded again.
    #expect(
      zip(frames, whole[first] + whole[second]).count(where: { $0 == $1 }) >= frames.count / 3)
    let facts = try Prober().probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(depth: .frames))
    #expect(facts.durations.presented?.length == (try range.checkedLength()))
    #expect(facts.edition == nil && facts.damage.isEmpty)
    #expect(facts.chapters.count == (second.isEmpty || first.isEmpty ? 1 : 2))
  }

  @Test func `when it is asked for beyond its end then that is told, and nothing behind is shown`()
    async throws
  {
    let made = try await Clip()
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(made.edited.utf8)))
    let asked = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(90)))
    let plan = try clip.plan(CutRequest(range: asked), for: .matroska)
    #expect(plan.requested == asked)
    #expect(plan.length == MediaDuration(164, 100))
    let within = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    #expect(try clip.plan(CutRequest(range: within), for: .matroska).requested == within)
    var two = CutRequest(range: within)
    two.join(try #require(MediaTimeRange(from: MediaTime(80), to: MediaTime(90))))
    let refusal = #expect(throws: MediaError.self) { try clip.plan(two, for: .matroska) }
    #expect(refusal?.code == .emptyRange)
  }

  @Test func `when a plan is executed again then it cuts the same`() async throws {
    let clip = try await Clip()
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let opened = try FileCutter(isCancelled: { false }).open(.file(path: Array(clip.edited.utf8)))
    let plan = try opened.plan(CutRequest(range: range), for: .matroska)
    #expect(try opened.plan(plan.request, for: .matroska) == plan)
    #expect(plan.shownParts.map(\.requested.start) == [MediaTime(1), MediaTime(12, 10)])
    #expect(plan.parts.map(\.requested.start) == [MediaTime(34, 10), MediaTime(48, 100)])
  }

  @Test func `when chapters are replaced then they begin where the edition shows them`()
    async throws
  {
    let clip = try await Clip()
    let output = clip.folder.path(of: "cut.mkv")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(264, 100)))
    var request = CutRequest(range: range)
    let starts = [MediaTime.zero, MediaTime(1), MediaTime(2)]
    request.chapters = starts.map { CutRequest.Chapter(start: $0, title: "\($0.seconds)") }
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(clip.edited.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.chapters.map(\.start) == starts)
  }

  @Test func `then pictures and silence are at the edition's times`() async throws {
    let clip = try await Clip()
    let track = try PictureTrack(Array(clip.edited.utf8))
    #expect(track.frameCount == 66)
    let frame = track.table.frame(at: MediaTime(130, 100))
    #expect(frame.number == 32)
    #expect(frame.start == MediaTime(128, 100))
    // The same silence, 2.4 s earlier.
    let (whole, edited) = (try silence(of: clip.whole), try silence(of: clip.edited))
    #expect(whole.count == 1)
    #expect(
      try edited.map { try $0.start.advanced(by: MediaDuration(24, 10)) } == whole.map(\.start))
    #expect(try edited.map { try $0.checkedLength() } == whole.map { try $0.checkedLength() })
  }

  private func silence(of path: String) throws -> [MediaTimeRange] {
    let facts = try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions())
    let sound = try AudioTrack(Array(path.utf8), facts: facts)
    let level = QuietLevel(try #require(AudioLevel(tenths: -500)))
    return try sound.findings(
      in: sound.presented, SilenceSearch(level: level, shortest: MediaDuration(1, 10))
    ).findings.map(\.range)
  }

  @Test func `when it plays a chapter of another file then it is not cut`() async throws {
    let clip = try await Clip(linked: true)
    #expect(try clip.facts.edition == nil)
    let error = #expect(throws: MediaError.self) {
      try FileCutter(isCancelled: { false }).open(.file(path: Array(clip.edited.utf8)))
    }
    #expect(error?.code == .notCuttable)
  }
}
