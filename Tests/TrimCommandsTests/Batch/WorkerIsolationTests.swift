import CommandLineKit
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BatchRun.harness != nil, BatchRun.absence), .timeLimit(.minutes(15)))
struct `Given the workers of a batch` {
  @Test func `then they can do nothing but read, where the system has the means`() async throws {
    let batch = try await BatchRun([BatchRun.task("a", "__sandbox")])
    let row = try #require(batch.rows.first)
    let result = try #require(row["result"])
    let layers = SandboxLayers.available
    #expect(row["sandbox"] == .array(layers.names.map(JSONValue.string)))
    #expect(result["core"]?.text == "none")
    if layers.contains(.files) {
      #expect(result["write_elsewhere"]?.text == "EACCES")
      #expect(result["overwrite"]?.text == "EACCES")
    }
    if layers.contains(.calls) {
      #expect(result["tcp"]?.text == "EPERM")
      #expect(result["udp"]?.text == "EPERM")
      #expect(result["execute"]?.text == "EPERM")
    }
  }

  @Test func `then a cut writes to its folder only`() async throws {
    let (near, far) = (try ScratchFolder(), try ScratchFolder())
    let film = SampleFilms.path("b-frames.mp4")
    func cut(_ folder: ScratchFolder) -> String {
      let output = folder.path(of: "out.mp4")
      return #"{"op":"cut","path":"\#(film)","output":"\#(output)","from":1.1,"to":2.3}"#
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

  // Every process of the batch holds the write end of `all`: its reader is done when the last of
  // them is gone.
  private static let start = """
    mkfifo all in out
    env --default-signal "$0" batch -j 1 <in >out 2>all & batch=$!
    cat all >/dev/null & last=$!
    exec 4>in 5<out
    echo '{"op":"__process","path":"x"}' >&4
    read -r row <&5
    echo '{"op":"__spin","path":"x"}' >&4
    """
  private static let finish = "\nwait $last; wait $batch; status=$?; rm all in out; exit $status"

  @Test(arguments: [("KILL", 137), ("INT", 130), ("HUP", 129)])
  func `then none outlives the batch`(_ signal: (name: String, status: Int32)) async throws {
    let run = try await shell(Self.start + "\nkill -\(signal.name) $batch" + Self.finish)
    #expect(run.status == signal.status, "\(run.errText)")
  }

  @Test func `then they end with the batch when nobody reads its rows`() async throws {
    let run = try await shell(
      """
      mkfifo all
      cat all >/dev/null & last=$!
      yes '{"op":"__process","path":"x"}' | head -20000 |
        env --default-signal "$0" batch 2>all | head -1 >/dev/null
      status=${PIPESTATUS[2]}
      wait $last; rm all; exit $status
      """)
    #expect(run.status == 141, "\(run.errText)")
  }

  @Test func `then a termination lets the present task end, and begins no other`() async throws {
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
