import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// One stream after another, each with its own headers.
private struct Chain: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var first: [String]
  var second: [String]

  static let all = [
    Chain(
      testDescription: "Vorbis of two rates", first: ["-c:a", "libvorbis", "-ar", "48000"],
      second: ["-c:a", "libvorbis", "-ar", "24000"]),
    Chain(
      testDescription: "Vorbis that is alike", first: ["-c:a", "libvorbis"],
      second: ["-c:a", "libvorbis"]),
    Chain(
      testDescription: "Opus that is alike", first: ["-c:a", "libopus"],
      second: ["-c:a", "libopus"]),
    Chain(
      testDescription: "FLAC and Vorbis", first: ["-c:a", "flac"], second: ["-c:a", "libvorbis"]),
  ]

  private func link(_ words: [String], seed: Int) async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "link.ogg")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:a=0.4:seed=\(seed)"] + words
        + ["-serial_offset", "\(seed)", path])
    return try fileBytes(path)
  }

  /// The chain, and its second link alone.
  func make(in folder: ScratchFolder) async throws -> (chain: String, second: String) {
    let (head, tail) = (try await link(first, seed: 3), try await link(second, seed: 5))
    return (
      try folder.write(head + tail, to: "chain.ogg"), try folder.write(tail, to: "second.ogg")
    )
  }
}

private func samples(_ path: String) async throws -> [UInt8] {
  try await EncodedClip.ffmpeg([
    "-v", "error", "-i", path, "-map", "0:a:0", "-f", "s16le", "-",
  ]).out
}

private func open(_ path: String) throws -> OpenedFile {
  try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given chained Ogg` {
  @Test(arguments: Sample.of(Chain.all, 2), ["ogg", "mka"])
  fileprivate func `when a part of a link is cut then it equals a cut from that link by itself`(
    _ chain: Chain, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, second) = try await chain.make(in: folder)
    let container = try #require(OutputContainer(nameEnding: ending))
    let clip = try open(path)
    let alone = try open(second)
    let length = try #require(alone.facts.durations.presented?.length)
    let whole = try #require(clip.facts.durations.presented?.length)
    let begin = MediaTime(seconds: try whole.subtracting(length).seconds)
    func cut(_ clip: OpenedFile, from zero: MediaTime, to name: String) throws -> CutReport {
      let range = try MediaTimeRange(
        from: zero.advanced(by: MediaDuration(1)), length: MediaDuration(3, 2))
      return try clip.cut(
        CutRequest(range: range, verification: .full), to: Array(folder.path(of: name).utf8),
        as: container)
    }
    let report = try cut(clip, from: begin, to: "cut." + ending)
    let expected = try cut(alone, from: .zero, to: "expected." + ending)
    #expect(report.plan.length == expected.plan.length)
    #expect(
      try await samples(folder.path(of: "cut." + ending))
        == samples(folder.path(of: "expected." + ending)))
    // The first link is still there to be cut.
    let before = try cut(clip, from: .zero, to: "before." + ending)
    #expect(before.plan.tracks[0].packets > 0)
  }

  @Test func `then it is as long as the probe reports`() async throws {
    for chain in Chain.all {
      let folder = try ScratchFolder()
      let path = try await chain.make(in: folder).chain
      let reported = try Prober().probe(.file(path: Array(path.utf8))).durations.presented
      #expect(try open(path).facts.durations.presented?.length == reported?.length)
    }
  }

  @Test func `when a part spans two links then it is refused, reporting where they meet`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Chain.all[0].make(in: folder).chain
    let range = try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(4)))
    let error = #expect(throws: MediaError.self) {
      try open(path).plan(CutRequest(range: range), for: .ogg)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("begins at 3 s") == true)
    #expect(error?.message.contains("inside the range") == true)
  }

  @Test func `when parts of two links are joined then it is refused, reporting where they meet`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Chain.all[1].make(in: folder).chain
    let ranges = [(1, 2), (4, 5)].compactMap {
      MediaTimeRange(from: MediaTime($0), to: MediaTime($1))
    }
    var request = CutRequest(range: ranges[0])
    request.join(ranges[1])
    let error = #expect(throws: MediaError.self) { try open(path).plan(request, for: .ogg) }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("the parts span that point") == true)
  }
}
