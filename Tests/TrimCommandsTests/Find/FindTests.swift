import CommandLineKit
import ExactTime
import Support
import Testing

@Suite(
  .enabled(if: NamedClip.isPossible, "ffmpeg's command is not installed"), .timeLimit(.minutes(1)))
struct `Given the find command` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 25 moving frames, 25 black ones and 25 others that stand still; a tone with a silence from 0.6 to 1.4 s.
  private func clip() throws -> String {
    let path = folder.path(of: "clip.mkv")
    let made = try Program.shell(
      "ffmpeg -v error -f lavfi -i testsrc2=s=128x72:r=25:d=1 -f lavfi -i color=black:s=128x72:r=25:d=1 "
        + "-f lavfi -i smptebars=s=128x72:r=25:d=1 -f lavfi "
        + "-i \"aevalsrc='if(between(t,0.6,1.4),0,0.3*sin(2*PI*440*t))':s=48000:d=3\" "
        + "-filter_complex '[0][1][2]concat=n=3[v]' -map '[v]' -map 3:a -c:v ffv1 -c:a pcm_s16le \"$1\"",
      [Array(path.utf8)])
    #expect(made.status == 0)
    return path
  }

  private func run(_ words: [String]) throws -> Program {
    let trim = try #require(Binary.path)
    return try Program.run(trim, (["trim", "find"] + words).map { Array($0.utf8) })
  }

  private func findings(_ words: [String]) throws -> [String] {
    let found = try run(words + ["--json"])
    #expect(found.status == 0)
    guard case .array(let all)? = try JSONReader.read(found.out)["findings"] else { return [] }
    return all.map { one in
      "\(one["kind"]?.text ?? "") \(one["from"]?["value"]?.text ?? "") \(one["to"]?["value"]?.text ?? "")"
    }
  }

  @Test func `then black, still pictures and scenes are found to the frame`() throws {
    let path = try clip()
    #expect(
      try findings([path, "--black", "--still", "--still-for", "0.5", "--scenes"]) == [
        "black 1 2", "still 1 2", "still 2 3", "scene 0 1", "scene 1 2", "scene 2 3",
      ])
    #expect(try findings([path, "--from", "1.2", "--to", "1.6", "--black"]) == ["black 6/5 8/5"])
  }

  @Test func `then silence is found where no window reaches the level`() throws {
    let path = try clip()
    let found = try findings([path, "--silence", "--silence-level", "-60"])
    #expect(found.count == 1)
    let ends = try #require(found.first).split(separator: " ").dropFirst().compactMap {
      Rational(exactly: $0)
    }
    // A sine wave is below -60 dBFS for up to four samples next to a silence.
    #expect(ends.count == 2)
    #expect(try ends[0].distance(to: Rational(3, 5)) <= Rational(6, 48_000))
    #expect(try ends[1].distance(to: Rational(7, 5)) <= Rational(6, 48_000))
    #expect(try findings([path, "--silence", "--silence-for", "0.9"]) == [])
  }

  @Test func `then silence is found in each channel, and below the loudness`() throws {
    let path = folder.path(of: "sides.wav")
    // Quiet on the left from 0.5 to 1.5 s and on the right from 1 to 2 s; a 0.3 square wave is at -10.5 dBFS.
    let made = try Program.shell(
      "ffmpeg -v error -f lavfi -i \"aevalsrc='if(between(t,0.5,1.49999),0.003,0.3)*(1-2*mod(n,2))|"
        + "if(between(t,1,1.99999),0.003,0.3)*(1-2*mod(n,2))':s=48000:d=2.5\" -c:a pcm_f32le \"$1\"",
      [Array(path.utf8)])
    try #require(made.status == 0, "\(made.errText)")
    let silence = [path, "--silence", "--silence-for", "0.1"]
    #expect(try findings(silence) == ["silence 1 3/2"])
    #expect(
      try findings(silence + ["--channels", "each"]) == ["silence 1/2 3/2", "silence 1 2"])
    let found = try run(silence + ["--channels", "each", "--json"])
    guard case .array(let all)? = try JSONReader.read(found.out)["findings"] else { throw Failed() }
    #expect(all.map { $0["channel"]?.exactInteger } == [1, 2])
    // 39 dB below is -49.5 dBFS, above the -50.5 of what is quiet; 41 dB is not.
    #expect(try findings(silence + ["--silence-level", "loud-39"]) == ["silence 1 3/2"])
    #expect(try findings(silence + ["--silence-level", "loud-41dB"]) == [])
    let screen = try run(silence + ["--silence-level", "loud-39"])
    #expect(screen.outText.contains("silence 39 dB below the loudness, at least 0.1 s"))
    #expect(screen.outText.contains("its loudness makes this -49.5 dBFS"))
  }

  @Test func `then a fade to black and back is found, and is no scene`() throws {
    let path = folder.path(of: "fade.mkv")
    let made = try Program.shell(
      "ffmpeg -v error -f lavfi -i testsrc2=s=128x72:r=25:d=2,fade=out:30:20 "
        + "-f lavfi -i testsrc2=s=128x72:r=25:d=2,fade=in:0:20 -filter_complex concat "
        + "-c:v ffv1 \"$1\"",
      [Array(path.utf8)])
    try #require(made.status == 0, "\(made.errText)")
    let found = try findings([path, "--fades", "--scenes"])
    #expect(found.count == 2)
    #expect(found.first == "scene 0 4")
    let ends = try #require(found.last).split(separator: " ").dropFirst().compactMap {
      Rational(exactly: $0)
    }
    try #require(ends.count == 2)
    #expect(try ends[0].distance(to: Rational(6, 5)) <= Rational(1, 5))
    #expect(try ends[1].distance(to: Rational(14, 5)) <= Rational(1, 5))
  }

  @Test func `then people get a table with the thresholds`() throws {
    let found = try run([try clip()])
    #expect(found.status == 0)
    #expect(
      found.outText.contains(
        "silence below -40 dBFS, at least 0.5 s; black; still, at least 2 s; scenes;"))
    #expect(found.outText.contains("0:00:01.000  0:00:02.000"))
  }

  @Test func `then what could not be looked for is said`() throws {
    let path = SampleClips.path("silent.mp4")
    let screen = try run([path])
    #expect(screen.status == 0)
    #expect(screen.outText.contains("not looked for: silence, since it has no audio"))
    let found = try run([path, "--json"])
    #expect(found.errText.contains("not looked for: silence"))
    guard case .array(let missing)? = try JSONReader.read(found.out)["not_looked_for"] else {
      throw Failed()
    }
    #expect(missing.map { $0["kind"]?.text } == ["silence"])
    #expect(missing.map { $0["reason"]?.text } == ["noSound"])
  }

  private struct Failed: Error {}

  @Test func `when audio is damaged then it is not silent, and where it is is said`() throws {
    let path = folder.path(of: "damaged.mka")
    // Silence in FLAC, of which some frames in the middle are overwritten.
    let made = try Program.shell(
      "ffmpeg -v error -f lavfi -i anullsrc=r=8000:cl=mono:d=3 -c:a flac -frame_size 800 \"$1\" && "
        + "ffmpeg -v error -i \"$1\" -c copy -bsf:a \"noise=amount='between(pts,1000,1200)'\" \"$1.mka\"",
      [Array(path.utf8)])
    try #require(made.status == 0, "\(made.errText)")
    let found = try run([path + ".mka", "--silence", "--json"])
    #expect(found.status == 0)
    let record = try JSONReader.read(found.out)
    guard case .array(let unseen)? = record["not_examined"],
      case .array(let silences)? = record["findings"]
    else { throw Failed() }
    #expect(unseen.map { $0["from"]?["value"]?.text } == ["1"])
    #expect(silences.count == 2)
    #expect(silences.first?["to"]?["value"]?.text == "1")
  }

  @Test(arguments: [8, 40, 250])
  func `when only keyframes are compared then the same scenes are found`(_ gop: Int) throws {
    let path = folder.path(of: "scenes.mp4")
    let made = try Program.shell(
      "ffmpeg -v error -f lavfi -i testsrc2=s=64x64:r=25:d=1.2 -f lavfi -i mandelbrot=s=64x64:r=25 "
        + "-f lavfi -i smptebars=s=64x64:r=25:d=0.8 -f lavfi -i life=s=64x64:r=25:mold=10:seed=3 "
        + "-filter_complex '[1]trim=duration=1.6[m];[3]trim=duration=1.48[l];[0][m][2][l]concat=n=4[v]' "
        + "-map '[v]' -c:v libx264 -preset ultrafast -bf 2 -g \(gop) -sc_threshold 0 -pix_fmt yuv420p \"$1\"",
      [Array(path.utf8)])
    try #require(made.status == 0)
    let all = try findings([path, "--scenes"])
    #expect(all.count >= 3)
    // With anything else, bidirectionally predicted frames are deblocked too.
    #expect(
      try findings([path, "--scenes", "--black"]).filter { $0.hasPrefix("scene") } == all)
    #expect(try findings([path, "--scenes", "--fast"]) == all)
    #expect(
      try findings([path, "--scenes", "--fast", "--from", "1", "--to", "2.5"])
        == findings([path, "--scenes", "--from", "1", "--to", "2.5"]))
  }

  @Test(arguments: ["csv", "edl", "otio", "llc"])
  func `when a list is written then a cut can remove what it holds`(_ format: String) throws {
    let (path, list) = (try clip(), folder.path(of: "found"))
    let found = try run([path, "--black", "-o", list, "--as", format])
    #expect(found.status == 0, "\(found.errText)")
    let trim = try #require(Binary.path)
    let output = folder.path(of: "left.mkv")
    let cut = try Program.run(
      trim,
      ["trim", "cut", path, "--cuts", list, "--cuts-are", "remove", "-o", output].map {
        Array($0.utf8)
      })
    #expect(cut.status == 0, "\(cut.errText)")
    let length = try Program.shell(
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames "
        + "-of csv=p=0 \"$1\"", [Array(output.utf8)])
    #expect(length.outText == "50\n")
    #expect(try run([path, "--black", "-o", list, "--as", format]).status == 73)
  }

  static let refusals: [([String], Int32)] = [
    (["not-media.mp4"], 65), (["silent.mp4", "--silence"], 65), (["sound.m4a", "--black"], 65),
    (["sound.m4a", "--silence-level", "5"], 64), (["sound.m4a", "--silence-level", "loud"], 64),
    (["sound.m4a", "--silence", "--black-for", "1"], 64), (["silent.mp4", "--fast"], 64),
    (["silent.mp4", "--scenes", "--still", "--fast"], 64),
    (["silent.mp4", "--scenes", "--fades", "--fast"], 64),
    (["silent.mp4", "--scenes", "--channels", "each"], 64),
    (["sound.m4a", "--silence-level", "loud+3"], 64),
    (["sound.m4a", "--silence", "--channels", "each", "--as", "edl", "-o", "/dev/null/x.edl"], 64),
  ]

  @Test(arguments: refusals)
  func `when it cannot be done then the status says why`(_ words: [String], _ status: Int32) throws
  {
    let found = try run([SampleClips.path(words[0])] + words.dropFirst())
    #expect(found.status == status)
    #expect(found.out.isEmpty)
    #expect(!found.err.isEmpty)
  }
}

extension Rational {
  fileprivate func distance(to other: Rational) throws -> Rational {
    let difference = try subtracting(other)
    return difference.numerator < 0 ? try Rational(0).subtracting(difference) : difference
  }
}
