import CommandLineKit
import Glibc
import Isolation
import Support
import Testing

/// What a process that fetches can reach when a server has taken it over: the attack program runs in it.
@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(
    if: SandboxLayers.available.isSuperset(of: .essential), "this system cannot seal a process"),
  .timeLimit(.minutes(1)))
struct `Given code running in an exploited process that fetches` {
  private let folder: ScratchFolder
  private let victim: String

  init() throws {
    folder = try ScratchFolder()
    victim = try folder.write(Array("content".utf8), to: "victim")
  }

  private func answers(_ name: String, _ isolation: String) async throws -> [String: String] {
    let harness = try #require(BatchRun.harness)
    let run = try await ProgramRun(
      [harness, "fetching", name, isolation].map { Array($0.utf8) },
      environment: ["TRIM_ATTACK_FOLDER": folder.path])
    #expect(run.status == 0, "\(run.errText)")
    guard case .object(let members) = try JSONReader.read(run.out.filter { $0 != 10 }) else {
      return [:]
    }
    return Dictionary(
      members.map { ($0.key, $0.value.text ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `then it can open nothing, execute nothing, and connect to nothing`() async throws {
    let outcomes = try await answers("attack", "sealed")
    #expect(outcomes.count >= 100, "the attack program ran to its end")
    let worked = outcomes.filter { name, outcome in
      // The filter answers `connect` with EINPROGRESS, and nothing is in progress.
      let refusals = name.hasPrefix("connect_to_") ? ["\(EINPROGRESS)"] : ["EPERM", "EACCES"]
      return !refusals.contains(outcome)
    }
    #expect(worked.isEmpty, "not refused: \(worked)")
    #expect(folder.names == [Array("victim".utf8)])
    #expect(try fileBytes(victim) == Array("content".utf8))
  }

  @Test func `then without the seal the same attacks work`() async throws {
    let outcomes = try await answers("attack", "unsealed")
    for name in ["read_passwd", "create_file", "tcp", "fork_process", "map_writable_code"] {
      #expect(outcomes[name] == "allowed", "\(name): \(outcomes[name] ?? "not tried")")
    }
  }

  @Test func `then nothing that the caller had open remains open`() async throws {
    let harness = try #require(BatchRun.harness)
    let run = try await ProgramRun(
      ["bash", "-c", #"exec 9<"$1" 77>>"$1"; "$0" fetching inherited sealed"#, harness, victim]
        .map { Array($0.utf8) })
    #expect(try JSONReader.read(run.out.filter { $0 != 10 })["descriptors"]?.text == "0")
  }

  @Test func `then neither it nor a decoder has the user's header fields`() async throws {
    let harness = try #require(BatchRun.harness)
    let fields = ["TRIM_HTTP_HEADERS": "Authorization: Bearer secret"]
    for words in [
      #""$0" fetching environment sealed"#,
      #""$0" batch <<<'{"op":"__environment","path":"x"}'"#,
    ] {
      let run = try await ProgramRun(
        ["bash", "-c", words, harness].map { Array($0.utf8) }, environment: fields)
      let row = try JSONReader.read(run.out.filter { $0 != 10 })
      #expect((row["result"] ?? row)["fields"]?.text == "absent", "\(run.outText)\(run.errText)")
    }
  }
}
