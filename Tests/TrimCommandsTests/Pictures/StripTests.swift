import ExactTime
import MediaEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given the strip command` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func strip(_ words: [String], into name: String) throws -> Program {
    let trim = try #require(Binary.path)
    let all = ["trim", "strip"] + words + ["-o", folder.path(of: name)]
    return try Program.run(trim, all.map { Array($0.utf8) })
  }

  @Test func `when it writes a PNG then another reader finds exactly these pixels in it`() throws {
    let clip = SampleClips.path("b-frames.mp4")
    let run = try strip([clip, "--count", "4"], into: "strip.png")
    #expect(run.status == 0)
    #expect(
      run.outText == "\(folder.path(of: "strip.png")): 4 pictures of 160x90, exact frames\n")
    let read = try Program.shell(
      "ffmpeg -v error -i \"$1\" -f rawvideo -pix_fmt rgb24 -",
      [Array(folder.path(of: "strip.png").utf8)])
    let track = try PictureTrack(Array(clip.utf8))
    let times = try #require(FilmstripInstants.count(4).times(in: track.presented, atMost: 9))
    let made = try Filmstrip(of: track, at: times, tileWidth: 160)
    #expect(read.out == made.picture.pixels)
  }

  @Test func `when it writes a JPEG of a part then its record lists each frame`() throws {
    let words = ["--from", "1", "--for", "1", "--every", "0.5", "--width", "80", "--json"]
    let run = try strip([SampleClips.path("b-frames.mp4")] + words, into: "strip.jpg")
    #expect(run.status == 0)
    let record = try Program.shell(
      "printf %s \"$1\" | jq -c '[.kind,.choice,.tile.height,.output.width,(.pictures[]|.frame)]'",
      [run.out])
    #expect(record.outText == "[\"strip\",\"exact\",45,160,25,37]\n")
    #expect(try folder.bytes(of: "strip.jpg").prefix(3) == [0xFF, 0xD8, 0xFF])
  }

  @Test func `when the output exists then it is kept, unless it is to be replaced`() throws {
    try folder.write([1, 2, 3], to: "strip.png")
    let clip = SampleClips.path("silent.mp4")
    #expect(try strip([clip], into: "strip.png").status == 73)
    #expect(try folder.bytes(of: "strip.png") == [1, 2, 3])
    #expect(try strip([clip, "--force"], into: "strip.png").status == 0)
    #expect(try folder.bytes(of: "strip.png").prefix(4) == [0x89, 0x50, 0x4E, 0x47])
  }

  @Test func `when the output is the input itself then the file is kept`() throws {
    let clip = try SampleClips.bytes("silent.mp4")
    try folder.write(clip, to: "clip.png")
    let run = try strip([folder.path(of: "clip.png"), "-f"], into: "clip.png")
    #expect(run.status == 73)
    #expect(try folder.bytes(of: "clip.png") == clip)
  }

  static let refusals: [([String], Int32)] = [
    (["samples/sound.m4a"], 65), (["samples/not-media.mp4"], 65), (["samples/none.mp4"], 66),
    (["samples/silent.mp4", "--count", "0"], 64), (["samples/silent.mp4", "--width", "x"], 64),
    (["samples/silent.mp4", "--every", "0"], 64),
    (["samples/silent.mp4", "--every", "1/1000"], 64),
    (["samples/silent.mp4", "--count", "2", "--every", "1"], 64),
    (["samples/silent.mp4", "--from", "5"], 64), (["-"], 64),
  ]

  @Test(arguments: refusals)
  func `when it cannot be done then the status says why, and nothing is written`(
    _ words: [String], _ status: Int32
  ) throws {
    let words = words.map {
      $0.hasPrefix("samples/") ? SampleClips.path(String($0.dropFirst(8))) : $0
    }
    let run = try strip(words, into: "strip.png")
    #expect(run.status == status)
    #expect(run.out.isEmpty)
    #expect(!run.err.isEmpty)
    #expect(throws: (any Error).self) { try folder.bytes(of: "strip.png") }
  }

  @Test func `when the codec cannot be decoded here then it is named`() throws {
    let clip = folder.path(of: "magic.avi")
    let made = try Program.shell(
      "ffmpeg -v error -f lavfi -i testsrc2=s=64x64:d=0.2 -c:v magicyuv \"$1\"",
      [Array(clip.utf8)])
    try #require(made.status == 0)
    let run = try strip([clip], into: "strip.png")
    #expect(run.status == 69)
    #expect(run.errText.contains("magicyuv"))
  }

  @Test func `when the file is HDR then it is mapped to SDR, which is reported`() throws {
    let clip = folder.path(of: "hdr.mp4")
    let made = try Program.shell(
      "ffmpeg -v error -f lavfi -i testsrc2=s=64x64:d=0.2 -pix_fmt yuv420p10le -c:v libx265 "
        + "-x265-params log-level=error:pools=none:frame-threads=1:transfer=smpte2084 "
        + "-color_trc smpte2084 \"$1\"", [Array(clip.utf8)])
    try #require(made.status == 0)
    let run = try strip([clip, "--count", "1"], into: "strip.png")
    #expect(run.status == 0)
    #expect(run.outText.hasSuffix("exact frames, HDR tone-mapped to SDR\n"))
  }
}
