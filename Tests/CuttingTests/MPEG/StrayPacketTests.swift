import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given packets of a transport stream whose PTS and DTS are both hours away` {
  static let hour: Int64 = 3600 * 90_000

  /// Two seconds of pictures and sound, and the same with other times for some PES packets.
  private func clips(
    _ streams: ClosedRange<UInt8>, _ moved: Set<Int>, by ticks: Int64 = Self.hour,
    in folder: ScratchFolder
  ) async throws -> (plain: String, moved: String) {
    let path = folder.path(of: "clip.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2", "-f", "lavfi",
      "-i", "sine=d=2:r=48000", "-c:v", "libx264", "-g", "25", "-bf", "2", "-x264-params",
      "scenecut=0:b-adapt=0", "-c:a", "mp2", path,
    ])
    var stream = PatchedStream(bytes: try fileBytes(path))
    stream.changeStamps(of: streams) { number, stamp in
      moved.contains(number) ? stamp + ticks : stamp
    }
    return (path, try folder.write(stream.bytes, to: "moved.ts"))
  }

  private func probe(_ path: String, _ depth: RequestedDepth) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth, wantsFrames: true))
  }

  static let pictures: ClosedRange<UInt8> = 0xE0...0xEF
  static let sound: ClosedRange<UInt8> = 0xC0...0xDF

  struct Move: Sendable {
    var streams = pictures
    var numbers: Set<Int>
    var ticks = hour
  }

  /// A picture within a GOP, several, a keyframe, and audio.
  static let moves = [
    Move(numbers: [20]), Move(numbers: [20, 21, 30]), Move(numbers: [25], ticks: -hour),
    Move(streams: sound, numbers: [3]),
  ]

  @Test(arguments: moves)
  func `then they reset no clock, and the rest has its length`(_ move: Move) async throws {
    let folder = try ScratchFolder()
    let clips = try await clips(move.streams, move.numbers, by: move.ticks, in: folder)
    for depth in [RequestedDepth.packets, .frames] {
      let (facts, plain) = (try probe(clips.moved, depth), try probe(clips.plain, depth))
      #expect(facts.durations.presented == plain.durations.presented)
      #expect(facts.durations.decoded == plain.durations.decoded)
      for (track, same) in zip(facts.tracks, plain.tracks) {
        #expect(track.durations.presented == same.durations.presented)
        #expect(track.shownFrames.count == same.shownFrames.count)
      }
      let notes = Set(facts.notes.map(\.id))
      #expect(
        notes.isDisjoint(with: [.timestampDiscontinuity, .timestampGap, .dtsBackwards]))
      let note = try #require(facts.notes.first { $0.id == .ptsOutlier })
      #expect(note.text.contains("instead of"))
      #expect(note.text.contains(move.streams == Self.sound ? "packets" : "picture"))
    }
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func `then a cut has all of them, and lists the damage`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(9, 5)))
    for streams in [Self.pictures, Self.sound] {
      let clips = try await clips(streams, [streams == Self.sound ? 10 : 20], in: folder)
      let outputs = try [clips.plain, clips.moved].map { path in
        let output = folder.path(of: "\(streams == Self.sound)-" + "cut." + ending)
        let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
          CutOrder(
            CutRequest(range: range, verification: .full), to: Array(output.utf8), replaces: true))
        return (report, try probe(output, .packets))
      }
      let damage = outputs[1].0.examination?.damage ?? []
      #expect(Set(damage.map(\.kind)) == [.timing])
      #expect(outputs[0].0.examination?.damage.isEmpty == true)
      #expect(outputs[1].1.durations.presented == outputs[0].1.durations.presented)
      #expect(
        outputs[1].1.tracks.map(\.shownFrames.count) == outputs[0].1.tracks.map(\.shownFrames.count)
      )
    }
  }

  @Test func `when many follow one another then they are a stretch of their own`() async throws {
    let folder = try ScratchFolder()
    let clips = try await clips(Self.pictures, Set(20..<42), in: folder)
    let facts = try probe(clips.moved, .packets)
    #expect(!facts.notes.contains { $0.id == .ptsOutlier })
  }
}
