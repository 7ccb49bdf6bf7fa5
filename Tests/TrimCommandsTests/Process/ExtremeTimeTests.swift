import CommandLineKit
import ExactTime
import Support
import Testing

@testable import TrimCommands

/// A file whose times are at the limits of their fields, and what is reported about it.
private struct ExtremeClip: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// In seconds; `nil` for unknown.
  var presented: String?
  var verdict: String
  var clip: ClipBuilder

  init(
    _ name: String, presented: String?, _ verdict: String, _ change: (inout ClipBuilder) -> Void
  ) {
    testDescription = name
    self.presented = presented
    self.verdict = verdict
    clip = ClipBuilder()
    clip.headerVersion = 1
    clip.tracks[0].version = 1
    change(&clip)
  }

  static let all: [ExtremeClip] = [
    ExtremeClip("durations of 2^63 - 1", presented: "1", "declared_too_long") {
      $0.duration = UInt64(Int64.max)
      $0.tracks[0].mediaDuration = UInt64(Int64.max)
    },
    ExtremeClip("durations of 2^63", presented: "1", "undeclared") {
      $0.duration = 1 << 63
      $0.tracks[0].mediaDuration = 1 << 63
    },
    ExtremeClip("durations of all ones, 64 bits", presented: "1", "undeclared") {
      $0.duration = .max
      $0.tracks[0].mediaDuration = .max
    },
    ExtremeClip("durations of all ones, 32 bits", presented: "1", "undeclared") {
      $0.headerVersion = 0
      $0.tracks[0].version = 0
      $0.duration = UInt64(UInt32.max)
      $0.tracks[0].mediaDuration = UInt64(UInt32.max)
    },
    ExtremeClip("a clip's time scale of 0", presented: "1", "undeclared") { $0.timescale = 0 },
    ExtremeClip("a track's time scale of 0", presented: nil, "unknown") {
      $0.tracks[0].timescale = 0
    },
    ExtremeClip("time scales of 2^32 - 1", presented: nil, "unknown") {
      $0.timescale = .max
      $0.tracks[0].timescale = .max
    },
    ExtremeClip("a sample of 2^31 ticks", presented: "536871137/250", "declared_too_short") {
      $0.tracks[0].durations = [(1, 1 << 31), (9, 100)]
    },
    ExtremeClip("samples of 2^32 - 1 ticks", presented: "858993459/20", "declared_too_short") {
      $0.tracks[0].durations = [(10, .max)]
    },
    // All of it is before the zero of the file, where nothing is shown.
    ExtremeClip("composition offsets of -2^31", presented: nil, "unknown") {
      $0.tracks[0].compositionOffsets = [(10, .min)]
    },
    ExtremeClip("composition offsets of 2^31 - 1", presented: "1", "agrees") {
      $0.tracks[0].compositionOffsets = [(10, .max)]
    },
    ExtremeClip("edits of 2^63 - 1", presented: nil, "unknown") {
      $0.tracks[0].edits = [(UInt64(Int64.max), .max, 1), (.max, .min + 1, 1), (0, -1, 1)]
    },
    ExtremeClip("edit rates of 0 and 2", presented: "1", "agrees") {
      $0.tracks[0].edits = [(500, 0, 0), (500, 0, 2)]
    },
    ExtremeClip("durations for 2^32 - 1 samples", presented: "1/100", "declared_too_long") {
      $0.tracks[0].durations = [(.max, 1)]
    },
  ]
}

extension JSONValue {
  fileprivate subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a file whose times are beyond reason` {
  @Test(arguments: ExtremeClip.all, ["auto", "packets", "frames"])
  private func `then each is reported as a checked value or as unknown`(
    _ clip: ExtremeClip, _ depth: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(clip.clip.bytes, to: "clip.mp4")
    let run = try await BuiltTool.run("probe", "--json", "--depth", depth, path)
    expectHarmless(run, statuses: [0, 65])
    let durations = try #require(try JSONReader.read(run.out)["durations"])
    #expect(durations["verdict"] == .string(clip.verdict))
    let presented = durations["presented"]
    #expect(presented?["value"] == clip.presented.map { .string($0) })
    for kind in ["declared", "track", "indexed", "presented", "decoded"] {
      guard case .string(let value) = durations[kind]?["value"] else { continue }
      #expect(!value.hasPrefix("-"), "\(kind)")
    }
  }
}

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a limit that is a fraction of 62-bit integers` {
  /// What samples/under-limit.mp4 presents: 302/5 s.
  private static let presented = (numerator: Int128(302), denominator: Int128(5))

  private func status(of limit: String) async throws -> Int32? {
    let run = try await BuiltTool.run(
      "check", "--max-length", limit, SampleClips.path("under-limit.mp4"))
    expectHarmless(run, statuses: [0, 1])
    return run.status
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `then a file fits when it is shorter, by however little`(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    // A multiple of the denominator, so that the limit can be hit exactly.
    let bottom = Int64.random(in: 1...(1 << 53), using: &generator) * 5
    let exact = bottom / 5 * 302
    for offset in [-1, 0, 1] as [Int64] {
      let limit = "\(exact + offset)/\(bottom)"
      let isLess =
        Self.presented.numerator * Int128(bottom)
        < Int128(exact + offset) * Self.presented.denominator
      #expect(try await status(of: limit) == (isLess ? 0 : 1), "\(limit), \(generator)")
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `then any two numbers are compared exactly`(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let top = Int64.random(in: 1...(1 << 62), using: &generator)
    let bottom =
      Int64.random(in: 1...(1 << 62), using: &generator)
      >> Int64.random(
        in: 0...61, using: &generator) | 1
    let isLess = Int128(302) * Int128(bottom) < Int128(top) * 5
    #expect(try await status(of: "\(top)/\(bottom)") == (isLess ? 0 : 1), "\(generator)")
  }

  @Test(arguments: ["9223372036854775808/1", "1/9223372036854775808", "1/0", "0/1", "-1/2"])
  func `then one that exceeds 64 bits, or is not a length, is refused`(_ limit: String) async throws
  {
    let run = try await BuiltTool.run(
      "check", "--max-length", limit, SampleClips.path("under-limit.mp4"))
    expectHarmless(run, statuses: [64])
  }
}
