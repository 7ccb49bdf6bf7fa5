import CommandLineKit
import ExactTime
import Support
import Testing

@testable import TrimCommands

/// `trim cut --remove silence`, `--split scenes`, `--keep-cues`, and `trim check --no-black`.
@Suite(
  .enabled(if: NamedClip.isPossible, "ffmpeg's command is not installed"), .timeLimit(.minutes(1)))
struct `Given a clip in which something can be found` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func made(_ name: String, _ words: String) throws -> String {
    let path = folder.path(of: name)
    let made = try Program.shell("ffmpeg -v error \(words) \"$1\"", [Array(path.utf8)])
    #expect(made.status == 0, "\(made.errText)")
    return path
  }

  /// A second of moving frames, one of black ones, and one of others that stand still, with a GOP each; a tone
  /// with a digital silence from 0.6 to 1.4 s.
  private func clip(_ name: String = "clip.mkv") throws -> String {
    try made(
      name,
      "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -f lavfi -i color=black:s=64x64:r=25:d=1 "
        + "-f lavfi -i smptebars=s=64x64:r=25:d=1 -f lavfi "
        + "-i \"aevalsrc='if(between(t,0.6,1.39999),0,0.3)':s=48000:d=3\" "
        + "-filter_complex '[0][1][2]concat=n=3[v]' -map '[v]' -map 3:a "
        + "-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a pcm_s16le")
  }

  private func run(_ words: [String]) throws -> Program {
    let trim = try #require(Binary.path)
    return try Program.run(trim, (["trim"] + words).map { Array($0.utf8) })
  }

  /// The parts of a plan, as exact text.
  private func parts(_ words: [String]) throws -> [String] {
    let plan = try run(["cut"] + words + ["-n", "--json"])
    #expect(plan.status == 0, "\(plan.errText)")
    guard case .array(let parts)? = try JSONReader.read(plan.out)["parts"] else { return [] }
    return parts.map { part in
      "\(part["from"]?["value"]?.text ?? "")..\(part["to"]?["value"]?.text ?? "")"
    }
  }

  @Test func `when silence or black pictures are removed then ranges and findings are united`()
    throws
  {
    let path = try clip()
    #expect(try parts([path, "--remove", "silence"]) == ["0..7/10", "13/10..3"])
    #expect(
      try parts([path, "--remove", "silence", "--remove", "black", "--margin", "0"]) == [
        "0..3/5", "2..3",
      ])
    #expect(
      try parts([path, "--remove", "0..0.2", "--remove", "still", "--still-for", "1"]) == [
        "1/5..11/10"
      ])
    #expect(
      try parts([path, "--from", "0.2", "--to", "1", "--remove", "silence", "--silence-for", "0.4"])
        == ["1/5..7/10"])
    // Nothing is found, and the whole range is cut.
    let whole = try run(["cut", path, "--remove", "silence", "--silence-for", "0.81", "-n"])
    #expect(whole.status == 0)
    #expect(whole.outText.contains("from 0 up to 3"))
    #expect(whole.outText.contains("nothing to remove was found"))
    // All of it is found.
    let all = try run(["cut", path, "--from", "1", "--to", "2", "--remove", "black", "-n"])
    #expect(all.status == 64)
    #expect(all.errText.contains("nothing is left"))
  }

  @Test func `when a plan has found something then it is executed without looking again`() throws {
    let (path, plan, output) = (
      try clip(), folder.path(of: "plan.json"), folder.path(of: "out.mkv")
    )
    let planned = try run(["cut", path, "--remove", "black", "--margin", "0", "-n", "--json"])
    let found = try #require(try JSONReader.read(planned.out)["found"])
    guard case .array(let findings)? = found["findings"],
      case .array(let removed)? = found["removed"]
    else { throw Failed() }
    #expect(findings.count == 1)
    #expect(removed.map { $0["to"]?["value"]?.text } == ["2"])
    #expect(
      try Program.shell(
        "cat > \"$1\" <<'PLAN'\n\(planned.outText)PLAN\n", [Array(plan.utf8)]
      ).status == 0)
    #expect(try run(["cut", "--plan", plan, "-o", output]).status == 0)
    let count = try Program.shell(
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames "
        + "-of csv=p=0 \"$1\"", [Array(output.utf8)])
    #expect(count.outText == "50\n")
    #expect(
      try run(["cut", "--plan", plan, "--margin", "1", "-o", folder.path(of: "no.mkv")]).status
        == 64)
  }

  private struct Failed: Error {}

  @Test
  func `when it is split at scenes then each has its numbered file, or one file has chapters`()
    throws
  {
    let path = try clip()
    #expect(
      try run(["cut", path, "--split", "scenes", "-o", folder.path(of: "s.mkv")]).status == 0)
    for number in 1...3 {
      let count = try Program.shell(
        "ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames "
          + "-of csv=p=0 \"$1\"", [Array(folder.path(of: "s-\(number).mkv").utf8)])
      #expect(count.outText == "25\n")
    }
    for ending in ["mkv", "mov"] {
      let output = folder.path(of: "chapters.\(ending)")
      let cut = try run(["cut", path, "--split", "scenes", "--as-chapters", "-o", output])
      #expect(cut.status == 0, "\(cut.errText)")
      #expect(cut.outText.contains("75 frames, 75 copied"))
      let chapters = try Program.shell(
        "ffprobe -v error -show_chapters -show_entries chapter=start_time:chapter_tags=title -of csv=p=0 "
          + "\"$1\"", [Array(output.utf8)])
      #expect(
        chapters.outText == "0.000000,Scene 1\n1.000000,Scene 2\n2.000000,Scene 3\n")
    }
    // Black pictures separate in their middle, with the frame that begins next.
    let halves = try run(["cut", path, "--split", "black", "-n"])
    #expect(halves.outText.contains("from 0 up to 1.52\n"))
    #expect(halves.outText.contains("from 1.52 up to 3\n"))
  }

  static let refusals: [([String], Int32, String)] = [
    (["clip.mkv", "--remove", "scenes"], 64, "--split scenes"),
    (["clip.mkv", "--margin", "1"], 64, "'--margin' applies only with"),
    (
      ["clip.mkv", "--remove", "black", "--silence-for", "1"], 64,
      "applies only with '--remove silence'"
    ),
    (["clip.mkv", "--as-chapters"], 64, "'--as-chapters' applies only with '--split'"),
    (["clip.mkv", "--split", "scenes", "--join"], 64, "cannot be used together"),
    (["clip.mkv", "--split", "scenes", "--as-chapters", "-o", "a.ts"], 64, "cannot hold chapters"),
    (["-", "--remove", "silence", "-o", "a.mkv"], 64, "read only once"),
    (["silent.mp4", "--remove", "silence", "-n"], 65, "it has no audio"),
    (
      ["silent.mp4", "--remove", "silence", "--remove", "black", "-n"], 65,
      "silence cannot be looked for"
    ),
    (["clip.mkv", "--keep-cues", "a"], 64, "needs '--cuts'"),
    (["clip.mkv", "--edge-tolerance", "1"], 64, "applies only with"),
    (["clip.mkv", "--remove-words", "!", "--cuts", "a"], 64, "no letter or digit"),
  ]

  @Test(arguments: refusals)
  func `when a cut cannot look for it then a sentence says why`(
    _ words: [String], _ status: Int32, _ sentence: String
  ) throws {
    let cut = try run(
      ["cut", words[0] == "-" ? "-" : SampleClips.path(words[0])] + words.dropFirst())
    #expect(cut.status == status)
    #expect(cut.errText.contains(sentence), "\(cut.errText)")
  }

  @Test func `when it is checked then black pictures and silence that last too long fail`() throws {
    let path = try clip()
    let checked = try run(["check", path, "--no-black", "1", "--no-silence", "0.8"])
    #expect(checked.status == 1)
    #expect(checked.outText.contains("black for 1.000 s from 0:00:01.000 to 0:00:02.000"))
    #expect(checked.outText.contains("silence for 0.800 s from 0:00:00.600 to 0:00:01.400"))
    #expect(try run(["check", path, "--no-black", "1.01", "--no-silence", "0.81"]).status == 0)
    #expect(try run(["check", path + "#t=0,0.5", "--no-black", "0"]).status == 0)
    #expect(try run(["check", path + "#t=0,1.5", "--no-black", "0.5"]).status == 1)
    // What cannot be looked for is never passed.
    let silent = try run(["check", SampleClips.path("silent.mp4"), "--no-silence", "9"])
    #expect(silent.status == 65)
    let rows = try run(["check", path, path, "--no-black", "0.5", "--jsonl"])
    let row = try JSONReader.read(rows.out.prefix { $0 != UInt8(ascii: "\n") })
    guard case .array(let unwanted)? = row["unwanted"] else { throw Failed() }
    #expect(unwanted.map { $0["longest"]?["from"]?["value"]?.text } == ["1"])
  }

  @Test func `when a batch cuts and checks then its rows say the same`() throws {
    let path = try clip()
    let output = folder.path(of: "batch.mkv")
    let tasks = folder.path(of: "tasks.jsonl")
    let lines = [
      #"{"op":"check","path":"\#(path)","no_black":"1"}"#,
      #"{"op":"cut","path":"\#(path)","remove":["black","0..0.2"],"margin":"0","output":"\#(output)"}"#,
      #"{"op":"plan","path":"\#(path)","split":"scenes","output":"\#(output)"}"#,
    ]
    #expect(
      try Program.shell(
        "printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) > \"$1\"",
        [Array(tasks.utf8)]
      ).status == 0)
    let batch = try run(["batch", tasks])
    let rows = try batch.out.split(separator: UInt8(ascii: "\n")).map { try JSONReader.read($0) }
    try #require(rows.count == 3, "\(batch.errText)")
    #expect(rows[0]["result"]?["status"]?.exactInteger == 1)
    guard case .array(let parts)? = rows[1]["result"]?["parts"] else { throw Failed() }
    #expect(parts.map { $0["from"]?["value"]?.text } == ["1/5", "2"])
    #expect(rows[1]["result"]?["found"]?["margin"]?["value"]?.text == "0")
    #expect(rows[2]["error"]?["code"]?.text == "badTask")
  }

  @Test
  func `when a talk loses its silence then no sample of a word is lost, and all stays in sync`()
    throws
  {
    // The picture is white exactly while somebody talks.
    let talk = try made(
      "talk.mov",
      "-f lavfi -i testsrc2=s=64x64:r=25:d=3 -f lavfi -i color=white:s=64x64:r=25:d=3 -f lavfi "
        + "-i \"aevalsrc='if(between(t,0.4,0.799999)+between(t,1.6,1.999999),0.3+0.1*sin(230*t),0)':s=48000:d=3\" "
        + "-filter_complex \"[0][1]overlay=enable='between(t,0.39,0.79)+between(t,1.59,1.99)'[v]\" "
        + "-map '[v]' -map 2:a -c:v libx264 -preset ultrafast -bf 2 -g 10 -pix_fmt yuv420p -c:a pcm_s16le"
    )
    let output = folder.path(of: "short.mov")
    let cut = try run(["cut", talk, "--remove", "silence", "-o", output, "--json"])
    #expect(cut.status == 0, "\(cut.errText)")
    let record = try JSONReader.read(cut.out)
    guard case .array(let tracks)? = record["tracks"], let video = tracks.first else {
      throw Failed()
    }
    // Two parts: the GOPs at three of their ends.
    let touched = try #require(video["touched_gops"]?.exactInteger)
    #expect((1...3).contains(touched))
    #expect(video["how"]?.text == "joined")
    let (before, after) = (try samples(talk), try samples(output))
    #expect(before.contains { $0 != 0 })
    #expect(before.filter { $0 != 0 } == after.filter { $0 != 0 })
    // 0 to 0.9 and 1.5 to 2.1 s.
    #expect(after.count == 72_000)
    let shown = try Program.shell(
      "ffprobe -v error -select_streams v:0 -show_entries frame=pts_time -of csv=p=0 \"$1\"",
      [Array(output.utf8)]
    ).outText.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
    let light = try Program.shell(
      "ffmpeg -v error -i \"$1\" -an -fps_mode passthrough -vf scale=1:1,format=gray -f rawvideo -",
      [Array(output.utf8)]
    ).out
    try #require(shown.count == light.count)
    let talking = light.indices.filter { $0 > 0 && light[$0] > 200 && light[$0 - 1] <= 200 }
    let heard = after.indices.filter { $0 > 0 && after[$0] != 0 && after[$0 - 1] == 0 }
    #expect(talking.count == 2)
    #expect(heard.count == 2)
    for (frame, sample) in zip(talking, heard) {
      #expect(abs(shown[frame] - Double(sample) / 48_000) <= 0.001)
    }
  }

  private func samples(_ path: String) throws -> [Int16] {
    let bytes = try Program.shell(
      "ffmpeg -v error -i \"$1\" -vn -f s16le -", [Array(path.utf8)]
    ).out
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  @Test func `when cues and words are chosen then their edges move to where it is quiet`() throws {
    let path = try made(
      "words.mka",
      "-f lavfi -i \"aevalsrc='if(between(t,0.5,1.0)+between(t,1.2,1.49999)+between(t,1.8,2.6),0.3,0)':s=8000:d=3\" "
        + "-c:a pcm_s16le")
    let transcript = folder.path(of: "words.json")
    let json = """
      {"segments":[{"start":0.5,"end":2.6,"text":" So um, hello","words":[\
      {"word":" So","start":0.52,"end":1.0},{"word":" Um,","start":1.25,"end":1.45},\
      {"word":" hello","start":1.78,"end":2.6}]}]}
      """
    let cues = folder.path(of: "words.srt")
    let srt =
      "1\\n00:00:00,500 --> 00:00:01,030\\nSo\\n\\n2\\n00:00:01,190 --> 00:00:02,700\\num, Hello\\n"
    #expect(
      try Program.shell(
        "printf '%s' '\(json)' > \"$1\"; printf '\(srt)' > \"$2\"",
        [Array(transcript.utf8), Array(cues.utf8)]
      ).status == 0)
    // Half a window of silence: 5 ms outside the word.
    #expect(
      try parts([path, "--cuts", transcript, "--remove-words", "uh,um", "-o", "x.mka"]) == [
        "0..239/200", "301/200..3",
      ])
    #expect(
      try parts([
        path, "--cuts", transcript, "--remove-words", "um", "--edge-tolerance", "0", "-o", "x.mka",
      ]) == ["0..5/4", "29/20..3"])
    #expect(
      try parts([path, "--cuts", cues, "--keep-cues", "HELLO", "-o", "x.mka"]) == ["119/100..27/10"]
    )
    let none = try run(["cut", path, "--cuts", cues, "--keep-cues", "bye", "-n", "-o", "x.mka"])
    #expect(none.status == 64)
    #expect(none.errText.contains("no cue contains"))
  }
}
