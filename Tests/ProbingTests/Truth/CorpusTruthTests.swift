import ExactTime
import Foundation
import MediaFacts
import Probing
import Support
import Testing

/// The files of the corpus with a known truth; the few whose decode differs from what is presented
/// are listed, each with its reason, in tools/accuracy-judgements.tsv.
@Suite(
  "Given real files of known duration", .enabled(if: Corpus.shared != nil, "\(Corpus.absence)"))
struct CorpusTruthTests {
  @Test(arguments: Truth.cases(.presented))
  func `the presented length is right within half a frame or a sample`(_ truth: Truth) throws {
    try expect(truth, depth: .auto)
  }

  @Test(.timeLimit(.minutes(5)), arguments: Sample.of(Truth.cases(.decoded), 16))
  func `the decoded length is right within half a frame or a sample`(_ truth: Truth) throws {
    try expect(truth, depth: .frames)
  }

  @Test(arguments: Truth.cases(.presented).filter { $0.clip.name.hasSuffix(".mp4") })
  func `a scan of the packets agrees with the sample table`(_ truth: Truth) throws {
    let table = try truth.probe(.header)
    let packets = try truth.probe(.packets)
    for (a, b) in zip(table.tracks, packets.tracks) where a.isPresented {
      guard let tabled = a.durations.presented, let scanned = b.durations.presented else {
        continue
      }
      let difference = try scanned.length.subtracting(tabled.length)
      #expect(difference.magnitude <= truth.tolerance, "track \(a.id)")
    }
  }

  private func expect(_ truth: Truth, depth: RequestedDepth) throws {
    let facts = try truth.probe(depth)
    let found = try #require(facts.durations[truth.kind], "nothing was found")
    let difference = try found.length.subtracting(truth.length)
    #expect(
      difference.magnitude <= truth.tolerance,
      "found \(found.length), the truth is \(truth.length) \(truth.reason)")
  }
}

/// The correct length of one file, and the tolerance.
struct Truth: Sendable, CustomTestStringConvertible {
  let clip: CorpusClip
  let kind: DurationKind
  let length: MediaDuration
  let tolerance: MediaDuration
  let reason: String

  var testDescription: String { reason.isEmpty ? clip.name : "\(clip.name): \(reason)" }

  func probe(_ depth: RequestedDepth) throws -> MediaFacts {
    try Prober().probe(.file(path: Array(clip.path.utf8)), options: ProbeOptions(depth: depth))
  }

  static func cases(_ kind: DurationKind) -> [Truth] {
    (Corpus.shared?.clips ?? []).compactMap { clip in
      let judgement = judgements["\(clip.name)\t\(kind.rawValue)"]
      guard let length = judgement?.length ?? clip.span else { return nil }
      return Truth(
        clip: clip, kind: kind, length: MediaDuration(seconds: length),
        tolerance: tolerance(clip), reason: judgement?.reason ?? "")
    }
  }

  /// Half a frame where there are pictures, else one sample.
  private static func tolerance(_ clip: CorpusClip) -> MediaDuration {
    let shown = clip.streams.filter { !$0.isCoverArt }
    if shown.contains(where: { $0.kind == "video" }) {
      return MediaDuration(seconds: clip.oneFrame / Rational(2))
    }
    return MediaDuration(1, Int64(shown.compactMap(\.sampleRate).min() ?? 8000))
  }

  private static let judgements: [String: (length: Rational, reason: String)] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let table = root.appendingPathComponent("tools/accuracy-judgements.tsv")
    guard let text = try? String(contentsOf: table, encoding: .utf8) else { return [:] }
    var result: [String: (length: Rational, reason: String)] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, let length = Rational(exactly: fields[2]) else { continue }
      result["\(fields[0])\t\(fields[1])"] = (length, fields[3])
    }
    return result
  }()
}
