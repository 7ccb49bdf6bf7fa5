import ExactTime
import Foundation
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a plan that was saved as JSON` {
  static let clips = [
    "H.264, open groups", "H.264, closed groups in Matroska", "H.264, interlaced",
    "HEVC, open groups with RADL pictures",
  ].map { EncodedClip.named($0) }

  private static func open(_ path: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  private static func kept(_ plan: CutPlan) throws -> CutPlan {
    try JSONDecoder().decode(CutPlan.self, from: JSONEncoder().encode(plan))
  }

  @Test(arguments: clips, [CutMode.smart, .reencode])
  func `when it is executed then the file is the same as from a cut in one step`(
    _ encoded: EncodedClip, _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let range = try `Given a file made by an encoder`.range(7..<58)
    let request = CutRequest(range: range, mode: mode)
    for container in [OutputContainer.mp4, .matroska] {
      let plan = try Self.kept(Self.open(path).plan(request, for: container))
      let outputs = ["planned", "direct"].map { folder.path(of: "\($0).\(container)") }
      let report = try Self.open(path).cut(plan, to: Array(outputs[0].utf8))
      _ = try Self.open(path).cut(request, to: Array(outputs[1].utf8), as: container)
      #expect(report.plan == plan)
      #expect(try fileBytes(outputs[0]) == fileBytes(outputs[1]), "\(container)")
      let written = try Self.open(outputs[0]).facts.durations.presented
      if container.isISO { #expect(written?.length == plan.length) }
    }
  }

  @Test func `when a file is planned for several containers then the plans are independent`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, open groups in a transport stream")
      .make(in: folder)
    let request = CutRequest(range: try `Given a file made by an encoder`.range(7..<58))
    // MP4 requires times counted in frames, and thus facts that the first plan did not need.
    let clip = try Self.open(path)
    for container in [OutputContainer.mpegts, .mp4, .matroska, .mpegts] {
      #expect(
        try clip.plan(request, for: container) == Self.open(path).plan(request, for: container))
    }
  }

  @Test func `when the source is another file then it is refused, and nothing is written`()
    async throws
  {
    let folder = try ScratchFolder()
    let range = try `Given a file made by an encoder`.range(7..<58)
    let clip = try Self.open(SampleClips.path("b-frames.mp4"))
    let plan = try clip.plan(CutRequest(range: range), for: .mp4)
    let output = folder.path(of: "o.mp4")
    let other = try Self.open(SampleClips.path("at-limit.mp4"))
    let error = #expect(throws: MediaError.self) { try other.cut(plan, to: Array(output.utf8)) }
    #expect(error?.code == .planDiffers)
    #expect(folder.names.isEmpty)
    // A copy elsewhere is the same file.
    let copy = folder.path(of: "copy.mp4")
    try folder.write(fileBytes(SampleClips.path("b-frames.mp4")), to: "copy.mp4")
    _ = try Self.open(copy).cut(plan, to: Array(output.utf8))
    #expect(folder.names == [Array("copy.mp4".utf8), Array("o.mp4".utf8)])
  }

  @Test func `when it names something that the source does not have then it is refused`() throws {
    let folder = try ScratchFolder()
    let range = try `Given a file made by an encoder`.range(7..<58)
    let clip = try Self.open(SampleClips.path("b-frames.mp4"))
    var plan = try clip.plan(CutRequest(range: range), for: .mp4)
    plan.parts[0].tracks[0].video?.tail = [1_000_000]
    let error = #expect(throws: MediaError.self) {
      try clip.cut(plan, to: Array(folder.path(of: "o.mp4").utf8))
    }
    #expect(error?.code == .planDiffers)
    #expect(folder.names.isEmpty)
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a cut that takes a while` {
  @Test(arguments: [CutMode.smart, .reencode])
  func `then its progress never goes back, begins before writing and ends at 1`(
    _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("HEVC, open groups with RADL pictures").make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "o.mp4")
    var steps: [Rational] = []
    let range = try `Given a file made by an encoder`.range(7..<58)
    _ = try clip.cut(
      CutRequest(range: range, mode: mode), to: Array(output.utf8), as: .mp4
    ) { step in
      steps.append(step.share)
      return true
    }
    #expect(steps == steps.sorted())
    #expect(steps.last == .one)
    #expect(Set(steps).count > 20, "\(steps.count)")
    // Decoding and encoding count: no single step is half of the work.
    let jumps = zip(steps, steps.dropFirst()).compactMap { try? $1.subtracting($0) }
    #expect(jumps.allSatisfy { $0 < Rational(1, 2) })
  }

  @Test func `when it is cancelled while frames are encoded then it ends, and leaves nothing`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, open groups").make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try `Given a file made by an encoder`.range(7..<58)
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutRequest(range: range, mode: .reencode),
        to: Array(folder.path(of: "o.mp4").utf8), as: .mp4
      ) { $0.share < Rational(1, 10) }
    }
    #expect(error?.code == .cancelled)
    #expect(folder.names == [Array("clip.mp4".utf8)])
  }
}
