import CommandLineKit
import JSON
import Support
import Testing

@Suite(
  .enabled(if: Binary.path != nil, "trim is not built beside the tests"), .timeLimit(.minutes(1)))
struct `Given trim join` {
  private func run(_ words: [String]) throws -> Program {
    let tool = try #require(Binary.path)
    return try Program.shell(
      #"tool=$1; shift; exec "$tool" join "$@""#, ([tool] + words).map { Array($0.utf8) })
  }

  private let clip = SampleClips.path("b-frames.mp4")

  @Test func `when it is a dry run then it says what happens to each file, and writes nothing`()
    throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "all.mp4")
    let done = try run(["-n", "--json", clip, clip + "#t=0.5,1", "-o", output])
    #expect(done.status == 0)
    let record = try JSONReader.read(Array(done.out))
    guard case .array(let parts)? = record["parts"] else {
      Issue.record("no parts")
      return
    }
    #expect(parts.count == 2)
    #expect((try? fileBytes(output)) == nil)
  }

  @Test func `when the files fit then the result lasts as long as all parts, and inputs stay`()
    throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "all.mkv")
    let before = try fileBytes(clip)
    #expect(try run([clip, clip + "#t=0,1", "-o", output]).status == 0)
    #expect(try !fileBytes(output).isEmpty)
    #expect(try fileBytes(clip) == before)
    // Nothing is overwritten unless asked.
    #expect(try run([clip, clip, "-o", output]).status == 73)
    #expect(try run(["-f", clip, clip, "-o", output]).status == 0)
  }

  @Test func `when a file is missing then it is named`() throws {
    let folder = try ScratchFolder()
    let done = try run([clip, folder.path(of: "nothing.mp4"), "-o", folder.path(of: "all.mp4")])
    #expect(done.status == 66)
    #expect(String(decoding: done.err, as: UTF8.self).contains("nothing.mp4"))
  }
}
