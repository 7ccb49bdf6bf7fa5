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

  @Test func `when one cannot follow then a sealed process refuses it and nothing is left`() throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "all.mp4")
    let other = SampleClips.path("hevc.mp4")
    let done = try run(["--join-as", "copy", clip, other, "-o", output])
    #expect(done.status == 65)
    let said = String(decoding: done.err, as: UTF8.self)
    #expect(said.contains("hevc.mp4: it cannot be joined"), "\(said)")
    #expect(said.contains("its video is"), "\(said)")
    #expect((try? fileBytes(output)) == nil)
  }

  @Test func `when names are not text then their bytes are in the JSON`() throws {
    let folder = try ScratchFolder()
    let tool = try #require(Binary.path)
    let done = try Program.shell(
      #"cp "$2" "$3/$(printf 'a\377.mp4')"; cd "$3"; "$1" join -n --json *.mp4 *.mp4 -o all.mkv"#,
      [tool, clip, folder.path].map { Array($0.utf8) })
    #expect(done.status == 0)
    let record = try JSONReader.read(Array(done.out))
    guard case .array(let names)? = record["inputs_b64"],
      case .array(let tracks)? = record["tracks"],
      case .array(let parts)? = record["parts"]
    else {
      Issue.record("no names")
      return
    }
    #expect(names == [.string("Yf8ubXA0")])
    #expect(parts.count == 2)
    // Sources have no common timeline.
    #expect(tracks.allSatisfy { $0["from"] == nil })
  }

  @Test func `when the file to be like is not joined then it is refused`() throws {
    let done = try run(["-n", clip, clip, "--like", "other.mp4", "-o", "all.mp4"])
    #expect(done.status == 64)
    #expect(String(decoding: done.err, as: UTF8.self).contains("'other.mp4' is none of them"))
  }

  @Test func `when modes are listed then none is that is always refused`() throws {
    let done = try run(["--help"])
    #expect(!String(decoding: done.out, as: UTF8.self).contains("edit-list"))
    #expect(try run(["--mode", "edit-list", clip, "-o", "all.mp4"]).status == 64)
  }
}
