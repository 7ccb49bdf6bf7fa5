import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Each AAC frame in ADTS states its channel count; elsewhere one decoder configuration states it
/// for all (ISO 14496-3, 1.A.2.2).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC whose channel count changes in the middle` {
  /// Two channels for four seconds, and six for four.
  private static let channels = [(channels: 2, rate: 48000), (6, 48000)]

  /// Four seconds of each, unless stated otherwise.
  private static func clip(
    in folder: ScratchFolder, _ layouts: [(channels: Int, rate: Int)] = channels,
    seconds: Double = 4, middle: Double = 4, last: Double = 4
  ) async throws -> OpenedFile {
    var bytes: [UInt8] = []
    for (place, (channels, rate)) in layouts.enumerated() {
      let length = place == 0 ? seconds : place == layouts.count - 1 ? last : middle
      let part = folder.path(of: "part.aac")
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-y", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=\(length):seed=3:a=0.3",
        "-ac",
        "\(channels)", "-c:a", "aac", part,
      ])
      bytes += try fileBytes(part)
    }
    let path = try folder.write(bytes, to: "clip.aac")
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static func request(_ from: Int64, _ to: Int64) throws -> CutRequest {
    CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(from), to: MediaTime(to))),
      verification: .full)
  }

  @Test(arguments: [(Int64(1), "stereo"), (5, "5.1")], ["m4a", "mka", "flv", "aac"])
  func `then a part on either side is described as its own frames are`(
    _ part: (from: Int64, layout: String), _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut." + ending)
    let order = CutOrder(try Self.request(part.from, part.from + 2), to: Array(output.utf8))
    _ = try await Self.clip(in: folder).cut(order)
    let run = try await EncodedClip.ffmpeg(["-hide_banner", "-i", output, "-f", "null", "-"])
    #expect(run.errText.contains(part.layout), "\(run.errText)")
  }

  @Test(arguments: [OutputContainer.m4a, .matroska, .flv])
  func `when a part spans both sides then it is refused where there is only one description`(
    _ container: OutputContainer
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder)
    let error = #expect(throws: MediaError.self) {
      try clip.plan(Self.request(3, 5), for: container)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("channels") == true)
    var reencoded = try Self.request(3, 5)
    reencoded.audio = .reencode
    #expect(throws: MediaError.self) { try clip.plan(reencoded, for: container) }
    _ = try clip.cut(
      CutOrder(try Self.request(3, 5), to: Array(folder.path(of: "cut.aac").utf8)))
  }

  @Test
  func `when parts of both sides are joined then it is refused before anything is written`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder)
    var request = try Self.request(1, 2)
    request.join(try #require(MediaTimeRange(from: MediaTime(5), to: MediaTime(6))))
    let error = #expect(throws: MediaError.self) { try clip.plan(request, for: .matroska) }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("differs") == true)
  }

  @Test
  func `when its rate changes then a later part is refused where there is only one description`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder, [(2, 48000), (2, 32000)])
    _ = try clip.plan(Self.request(1, 3), for: .m4a)
    let error = #expect(throws: MediaError.self) { try clip.plan(Self.request(5, 7), for: .m4a) }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("from that at its beginning") == true)
    let output = folder.path(of: "cut.aac")
    _ = try clip.cut(CutOrder(try Self.request(5, 7), to: Array(output.utf8)))
    let run = try await EncodedClip.ffmpeg(["-hide_banner", "-i", output, "-f", "null", "-"])
    #expect(run.errText.contains("32000 Hz"), "\(run.errText)")
  }

  /// Three packets before the change: recordings begin and end like this when the program changes.
  @Test func `when it changes right after its beginning then each side is described as it is`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder, [(2, 48000), (6, 48000)], seconds: 0.04)
    let output = folder.path(of: "cut.m4a")
    _ = try clip.cut(CutOrder(try Self.request(1, 3), to: Array(output.utf8)))
    let run = try await EncodedClip.ffmpeg(["-hide_banner", "-i", output, "-f", "null", "-"])
    #expect(run.errText.contains("5.1"), "\(run.errText)")
    let error = #expect(throws: MediaError.self) { try clip.plan(Self.request(0, 3), for: .m4a) }
    #expect(error?.code == .notCuttable)
  }

  @Test func `when it changes right before its end then that is not damage`() async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder, [(2, 48000), (6, 48000)], seconds: 4, last: 0.04)
    let error = #expect(throws: MediaError.self) {
      try clip.plan(Self.request(3, 5), for: .matroska)
    }
    #expect(error?.code == .notCuttable)
    _ = try clip.plan(Self.request(1, 3), for: .matroska)
  }

  /// So few may be headers with a bit error on frames that decode like the rest.
  @Test
  func `when only two packets differ then their headers are not believed, in any container`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder, [(2, 48000), (6, 48000), (2, 48000)], middle: 0.02)
    let output = folder.path(of: "cut.mkv")
    _ = try clip.cut(CutOrder(try Self.request(3, 5), to: Array(output.utf8)))
    _ = try clip.cut(
      CutOrder(try Self.request(3, 5), to: Array(folder.path(of: "cut.aac").utf8)))
  }

  @Test func `when a plan was edited to span both sides then it is refused`() async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder)
    var plan = try clip.plan(Self.request(1, 3), for: .m4a)
    let packets = try #require(plan.parts[0].tracks[0].audio?.copied)
    plan.parts[0].tracks[0].audio?.copied = packets.lowerBound..<packets.lowerBound + 250
    let error = #expect(throws: MediaError.self) {
      try clip.cut(plan, to: Array(folder.path(of: "cut.m4a").utf8))
    }
    #expect(error?.code == .notCuttable)
  }

  @Test func `when there are only two packets then they are still described`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "short.aac")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=0.03:seed=3:a=0.3", "-c:a", "aac",
      path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(
      MediaTimeRange(from: .zero, to: MediaTime(seconds: Rational(3, 100))))
    let plan = try clip.plan(CutRequest(range: range), for: .avi)
    #expect(plan.parts[0].tracks.count == 1)
    #expect(plan.parts[0].tracks.allSatisfy { !$0.encodesSound })
  }
}
