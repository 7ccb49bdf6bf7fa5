import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given the wave command` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func wave(_ words: [String], into name: String) throws -> Program {
    let trim = try #require(Binary.path)
    let all = ["trim", "wave"] + words + ["-o", folder.path(of: name)]
    return try Program.run(trim, all.map { Array($0.utf8) })
  }

  @Test func `when it writes JSON then its length is the presented one`() throws {
    let run = try wave([SampleClips.path("b-frames.mp4")], into: "wave.json")
    #expect(run.status == 0)
    let read = try Program.shell(
      "jq -c '[.version,.channels,.sample_rate,.samples_per_pixel,.bits,.length,(.data|length)]' "
        + "\"$1\"", [Array(folder.path(of: "wave.json").utf8)])
    // 4 s at 44,100 samples a second, in runs of 256.
    #expect(read.outText == "[2,1,44100,256,16,690,1380]\n")
  }

  @Test func `when it writes a PNG then it has the requested size`() throws {
    let words = ["--width", "300", "--height", "80", "--from", "1", "--to", "2"]
    #expect(try wave([SampleClips.path("b-frames.mp4")] + words, into: "wave.png").status == 0)
    let read = try Program.shell(
      "ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0 \"$1\"",
      [Array(folder.path(of: "wave.png").utf8)])
    #expect(read.outText == "png,300,80\n")
  }

  @Test func `when it writes SVG then it is well-formed`() throws {
    #expect(try wave([SampleClips.path("sound.m4a")], into: "wave.svg").status == 0)
    let read = try Program.shell(
      "python3 -c 'import sys, xml.dom.minidom as m; "
        + "print(m.parse(sys.argv[1]).documentElement.tagName)' \"$1\"",
      [Array(folder.path(of: "wave.svg").utf8)])
    #expect(read.outText == "svg\n")
  }

  static let refusals: [([String], String, Int32)] = [
    (["silent.mp4"], "wave.png", 65), (["not-media.mp4"], "wave.png", 65),
    (["sound.m4a"], "wave.gif", 64), (["sound.m4a", "--bits", "8"], "wave.png", 64),
    (["sound.m4a", "--width", "9"], "wave.json", 64),
    (["sound.m4a", "--samples-per-pixel", "0"], "wave.json", 64),
  ]

  @Test(arguments: refusals)
  func `when it cannot be done then the status says why, and nothing is written`(
    _ words: [String], _ name: String, _ status: Int32
  ) throws {
    let run = try wave([SampleClips.path(words[0])] + words.dropFirst(), into: name)
    #expect(run.status == status)
    #expect(!run.err.isEmpty)
    #expect(throws: (any Error).self) { try folder.bytes(of: name) }
  }
}
