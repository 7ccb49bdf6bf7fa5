import CommandLineKit
import Isolation
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BatchRun.harness != nil, BatchRun.absence), .timeLimit(.minutes(5)))
struct `Given the workers of a batch` {
  @Test func `then each reports how it is sealed`() async throws {
    let row = try #require(try await BatchRun([BatchRun.task("a", "__process")]).rows.first)
    #expect(row["sandbox"] == .array(SandboxLayers.available.names.map(JSONValue.string)))
    let open = try await BatchRun([BatchRun.task("a", "__process")], "--isolation", "off")
    #expect(open.rows.first?["sandbox"] == .array([]))
  }

  @Test func `then a system without the means is refused if isolation is required`() {
    #expect(Isolation.required.refusal(of: [.limits, .files]) != nil)
    #expect(Isolation.required.refusal(of: .essential) == nil)
    #expect(Isolation.auto.refusal(of: []) == nil)
  }

  @Test func `then cuts go to any folder, and each gets its name from the batch`() async throws {
    let (near, far) = (try ScratchFolder(), try ScratchFolder())
    let clip = SampleClips.path("b-frames.mp4")
    func cut(_ folder: ScratchFolder) -> String {
      let output = folder.path(of: "out.mp4")
      return #"{"op":"cut","path":"\#(clip)","output":"\#(output)","from":1.1,"to":2.3}"#
    }
    let batch = try await BatchRun([cut(near), cut(far), cut(near)], "-j", "1")
    #expect(batch.codes == [nil, nil, "outputExists"])
    #expect(near.names == [Array("out.mp4".utf8)])
    #expect(far.names == [Array("out.mp4".utf8)])
  }

  /// What a shell does with a batch; `$0` is the tool, and the last line is its status.
  private func shell(_ script: String) async throws -> ProgramRun {
    let harness = try #require(BatchRun.harness)
    let folder = try ScratchFolder()
    return try await ProgramRun(
      ["bash", "-c", script, harness].map { Array($0.utf8) }, folder: folder.path,
      limit: .seconds(100))
  }

  // A worker keeps nothing of its batch open but its channel: it is waited for by its process ID.
  private static let start = """
    mkfifo in out
    env --default-signal "$0" batch -j 1 <in >out & batch=$!
    exec 4>in 5<out
    echo '{"op":"__process","path":"x"}' >&4
    read -r row <&5
    pid=${row##*\\"pid\\":\\"}; pid=${pid%%\\"*}
    kill -0 $pid || exit 99
    echo '{"op":"__spin","path":"x"}' >&4
    """
  private static let finish = """

    timeout 20 tail -s 0.02 --pid=$pid -f /dev/null || exit 98
    wait $batch; status=$?; rm in out; exit $status
    """

  @Test(arguments: [("KILL", 137), ("INT", 130), ("HUP", 129)])
  func `then none outlives the batch`(_ signal: (name: String, status: Int32)) async throws {
    let run = try await shell(Self.start + "\nkill -\(signal.name) $batch" + Self.finish)
    #expect(run.status == signal.status, "\(run.errText)")
  }

  @Test func `then they end with the batch when nobody reads its rows`() async throws {
    let run = try await shell(
      """
      yes '{"op":"__process","path":"x"}' | head -20000 |
        env --default-signal "$0" batch 2>/dev/null | head -1 >row
      status=${PIPESTATUS[2]}
      row=$(cat row); rm row
      pid=${row##*\\"pid\\":\\"}; pid=${pid%%\\"*}
      [ -n "$pid" ] && timeout 20 tail -s 0.02 --pid=$pid -f /dev/null || exit 98
      exit $status
      """)
    #expect(run.status == 141, "\(run.errText)")
  }

  @Test func `then SIGTERM lets the current task finish and starts no other`() async throws {
    let run = try await shell(
      """
      mkfifo in out
      env --default-signal "$0" batch -j 1 --timeout 1 <in >out & batch=$!
      exec 4>in 5<out
      echo '{"op":"__process","path":"x"}' >&4
      read -r row <&5
      { echo '{"id":"present","op":"__spin","path":"x"}'; yes '{"op":"__process","path":"x"}' |
        head -50; } >&4
      kill -TERM $batch
      rows=$(cat <&5 | grep -c .)
      wait $batch; status=$?
      rm in out; echo "$rows"; exit $status
      """)
    #expect(run.status == 143)
    #expect(Int(run.outText.split(separator: "\n").last ?? "").map { $0 <= 1 } == true)
  }
}
