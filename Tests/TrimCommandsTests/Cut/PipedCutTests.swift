import CommandLineKit
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a cut that goes to standard output` {
  private static let clip = SampleClips.path("b-frames.mp4")
  static let hasFFprobe = SystemAbility.succeeds("ffprobe", "-version")

  /// Runs a script of bash in a folder, where temporary files go into `tmp`; `$0` is the tool, `$1` the clip.
  private func script(_ text: String, in folder: ScratchFolder) async throws -> ProgramRun {
    let tool = try #require(BuiltTool.path)
    let all = "mkdir -p tmp; export TMPDIR=$PWD/tmp; " + text
    return try await ProgramRun(
      ["bash", "-c", all, tool, Self.clip].map { Array($0.utf8) }, folder: folder.path,
      limit: .seconds(120))
  }

  @Test(arguments: ["mkv", "ts", "mp4", "wav"])
  func `when a pipe takes it, then it gets the bytes of a file, and the report is on stderr`(
    _ kind: String
  ) async throws {
    let folder = try ScratchFolder()
    let fragmented = kind == "mp4" ? "--fragmented" : ""
    let run = try await script(
      """
      set -o pipefail
      part=(--keep 0.4..1 --keep 2..3 --join)
      "$0" cut "$1" "${part[@]}" \(fragmented) --json -o file.\(kind) >file.json || exit 1
      "$0" cut "$1" "${part[@]}" --json -o - --type \(kind) 2>piped.json | cat >piped || exit 2
      cmp file.\(kind) piped || exit 3
      "$0" cut "$1" --remove 1..3 -o - --type \(kind) 2>text | cat >other || exit 4
      ls -A tmp; [[ -s other ]] && cat text
      """, in: folder)
    #expect(run.status == 0, "\(run.errText)")
    #expect(run.outText.hasPrefix("standard output: 2"), "\(run.outText)")
    let piped = try JSONReader.read(fileBytes(folder.path(of: "piped.json")))
    let file = try JSONReader.read(fileBytes(folder.path(of: "file.json")))
    #expect(piped["output"]?["path"]?.text == "-")
    #expect(piped["output"]?["bytes"] == file["output"]?["bytes"])
    #expect(piped["tracks"] == file["tracks"])
  }

  @Test(
    .enabled(if: hasFFprobe, "ffprobe is missing"),
    arguments: [("mkv", 65), ("ts", 65), ("mp4", 65), ("wav", 0)])
  func `when ffprobe reads the pipe, then it finds every frame and no fault`(
    _ kind: String, _ frames: Int
  ) async throws {
    let run = try await script(
      """
      "$0" cut "$1" --from 0.4 --to 3 -q -o - --type \(kind) |
        ffprobe -v error -select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0 - |
        head -n 1
      """, in: ScratchFolder())
    #expect(run.errText.isEmpty)
    #expect(Int(run.outText.filter(\.isNumber)) ?? 0 == frames, "\(run.outText)")
  }

  @Test func `when the plan is written first, then it is for the pipe, and carried out into one`()
    async throws
  {
    let folder = try ScratchFolder()
    let run = try await script(
      """
      "$0" cut "$1" --from 1 --to 2 -n --json -o - --type mp4 >plan || exit 1
      "$0" cut --plan plan -o - --type mp4 2>err >piped || exit 2
      "$0" cut "$1" --from 1 --to 2 -o - --type mp4 2>err | cmp - piped || exit 3
      "$0" cut --plan plan -o - --type mkv; [[ $? == 65 ]] || exit 4
      "$0" cut "$1" --from 1 --to 2 -n --json -o file.mp4 >plan || exit 5
      "$0" cut --plan plan -o - --type mp4; [[ $? == 65 ]] || exit 6
      """, in: folder)
    #expect(run.status == 0, "\(run.errText)")
    #expect(run.out.isEmpty)
    #expect(run.errText.contains("without fragments"))
  }

  @Test func `when nobody reads it to the end, then it ends with 141 and leaves nothing`()
    async throws
  {
    let run = try await script(
      """
      many=(); for part in {1..8}; do many+=(--keep ..); done
      "$0" cut "$1" "${many[@]}" --join -o - --type mkv 2>err | head -c 10 >first
      status=${PIPESTATUS[0]}
      [[ $(stat -c %s first) == 10 ]] || echo short
      ls -A tmp
      cat err
      exit $status
      """, in: ScratchFolder())
    #expect(run.status == 141)
    #expect(run.out.isEmpty, "\(run.outText)")
  }

  @Test func `when it cannot be written, then the status says so`() async throws {
    let run = try await script(
      """
      "$0" cut "$1" --from 1 -o - --type mkv >/dev/full; [[ $? == 74 ]] || exit 1
      cp "$1" own.mp4
      "$0" cut own.mp4 --from 1 -o - --type ts >>own.mp4; [[ $? == 73 ]] || exit 2
      cmp own.mp4 "$1"
      """, in: ScratchFolder())
    #expect(run.status == 0, "\(run.errText)")
    #expect(run.errText.contains("No space left"))
    #expect(run.errText.contains("standard output is the input itself"))
  }
}

@Suite struct `Given standard output named as the output of a cut` {
  @Test(arguments: [
    ("-o -", "add --type"), ("-o - --type avi", "'mkv', 'ts', 'mp4', 'wav'"),
    ("-o a.mkv --type mkv", "'--type' needs '-o -'"), ("--type mkv", "'--type' needs '-o -'"),
    ("-o - --type mkv --keep 1..2 --keep 3..4", "add --join"),
    ("-o - --type mkv --remove 1..2 --separate", "add --join"),
    ("-o - --type mkv --keep-failed", "'--keep-failed' and '-o -'"),
  ])
  func `when it cannot be, then it is 64, a sentence says why, and stdout stays empty`(
    _ words: String, _ sentence: String
  ) {
    let typed = ["cut", "a.mp4"] + words.split(separator: " ").map(String.init)
    let run = ToolRun(typed.map { ArgumentText($0) })
    #expect(run.status == 64)
    #expect(run.err.contains(sentence), "\(run.err)")
    #expect(run.out.isEmpty)
    let json = ToolRun((typed + ["--json"]).map { ArgumentText($0) })
    #expect(json.out.isEmpty == words.contains("-o -"))
  }

  @Test func `when it is a terminal, then it is refused before the file is opened`() {
    let run = ToolRun("cut", "a.mp4", "-o", "-", "--type", "mkv", terminal: true)
    #expect(run.status == 64)
    #expect(run.err.contains("'-o -' does not write to a terminal"))
  }

  @Test(arguments: [
    (#"{"op":"cut","path":"a.mp4","output":"-"}"#, "a batch writes files"),
    (#"{"op":"cut","path":"a.mp4","output":"a.mkv","type":"mkv"}"#, "has no member 'type'"),
  ])
  func `when a batch is told to, then the task is refused`(_ line: String, _ sentence: String) {
    let task = BatchTask(line: 1, bytes: Array(line.utf8), commands: CommandTable.root)
    #expect(task.failure?.message.contains(sentence) == true)
  }
}
