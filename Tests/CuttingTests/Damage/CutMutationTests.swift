import ExactTime
import Glibc
import MediaEngine
import Support
import Testing
import Trimming

/// How many mutations are cut: `TRIM_MUTATIONS`, or a few.
private let mutationCount = getenv("TRIM_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 40

@Suite(.timeLimit(.minutes(getenv("TRIM_MUTATIONS") == nil ? 5 : 60)))
struct `Given damaged files that are cut` {
  private static let clips = SampleClips.names.map(SampleClips.path)

  @Test func `then each gives an error, or a file that matches its plan`() throws {
    let folder = try ScratchFolder()
    var cuts = 0
    for number in 0..<mutationCount {
      var random = SeededGenerator(seed: UInt64(number) + 77)
      let clip = try #require(Self.clips.randomElement(using: &random))
      var bytes = try fileBytes(clip)
      let mutation = Mutation.allCases[Int.random(in: 0..<6, using: &random)]
      mutation.apply(to: &bytes, using: &random)
      let path = try folder.write(bytes, to: "clip")
      let start = Int64.random(in: 0..<30, using: &random)
      let end = start + Int64.random(in: 1..<40, using: &random)
      let range = try #require(
        MediaTimeRange(from: MediaTime(start, 10), to: MediaTime(end, 10)))
      let mode = try #require(CutMode.allCases.randomElement(using: &random))
      let ending = String(clip.split(separator: ".").last ?? "")
      let container = try #require(OutputContainer(nameEnding: ending))
      let label = "\(mutation) of \(clip), \(mode), \(random)"
      // If the process dies, this is left next to the file.
      try folder.write(Array(label.utf8), to: "label")
      let output = folder.path(of: Array("cut.\(ending)".utf8))
      do throws(MediaError) {
        let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
        let request = CutRequest(range: range, mode: mode)
        let report = try source.cut(request, to: output, as: container, replaces: true)
        let facts = try FileCutter(isCancelled: { false }).open(.file(path: output)).facts
        #expect(facts.damage.isEmpty, "\(label)")
        #expect(facts.tracks.count >= report.plan.tracks.filter { $0.dropped == nil }.count)
        cuts += 1
        unlink(String(decoding: output, as: UTF8.self))
      } catch {
        // Damage in the source must not be blamed on trim or the disk.
        #expect(
          ![.internalError, .verificationFailed, .writeFailed].contains(error.code),
          "\(label): \(error)")
        // Damage at an edge may show only when the written file is read back.
        #expect(folder.names.isSubset(of: [Array("clip".utf8), Array("label".utf8)]), "\(label)")
      }
    }
    #expect(cuts > 0)
  }
}
