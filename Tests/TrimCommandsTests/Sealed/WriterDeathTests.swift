import Support
import Testing

/// The process that writes a cut is killed at seeded random times, while its command lives on.
@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(3)))
struct `Given a cut whose writing process dies` {
  private static let script = """
    clip=$1; shift
    "$0" cut "$clip" --from 0.4 --to 3.2 -o whole.mp4 >out 2>err || { cat err; exit 1; }
    for instant in "$@"; do
      "$0" cut "$clip" --from 0.4 --to 3.2 -o new.mp4 >out 2>err & tool=$!
      sleep "$instant"
      pkill -KILL -P $tool
      wait $tool; status=$?
      case $status in
        0) cmp new.mp4 whole.mp4 || echo "another file" ;;
        65) [[ ! -e new.mp4 ]] || echo "published"
          grep -q 'killed by signal 9' err || cat err ;;
        *) echo "status $status"; cat err ;;
      esac
      rm -f new.mp4 out err
      [[ $(ls -A | tr '\\n' ' ') == 'whole.mp4 ' ]] || ls -A
    done
    """

  @Test func `then nothing is published unless it was completely verified`() async throws {
    let tool = try #require(BuiltTool.path)
    var random = Sample.generator()
    let instants = (0..<Sample.count(10, ofAll: 25)).map { _ in
      "0.\(Int.random(in: 100...600, using: &random))"
    }
    let folder = try ScratchFolder()
    let run = try await ProgramRun(
      (["bash", "-c", Self.script, tool, SampleClips.path("b-frames.mp4")] + instants)
        .map { Array($0.utf8) }, folder: folder.path, limit: .seconds(150))
    #expect(run.status == 0, "\(run.errText)")
    #expect(run.outText.isEmpty, "\(run.outText)")
  }
}
