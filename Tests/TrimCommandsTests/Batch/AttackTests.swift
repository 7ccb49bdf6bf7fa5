import CommandLineKit
import Glibc
import Isolation
import Support
import Testing

@testable import TrimCommands

/// What a decoder that was taken over can reach: the attack program runs where a decoder would.
@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(
    if: SandboxLayers.available.isSuperset(of: .essential), "this system cannot seal a process"),
  .timeLimit(.minutes(1)))
struct `Given code running in an exploited worker` {
  private let folder: ScratchFolder
  private let victim: String

  init() throws {
    folder = try ScratchFolder()
    victim = try folder.write(Array("content".utf8), to: "victim")
    chmod(folder.path, 0o777)
    chmod(victim, 0o666)
  }

  private func attempts(_ words: String...) async throws -> [String: String] {
    let batch = try await BatchRun(
      input: Array((BatchRun.task("a", "__attack") + "\n").utf8), words,
      environment: ["TRIM_ATTACK_FOLDER": folder.path])
    return Self.outcomes(batch.rows)
  }

  private static func outcomes(_ rows: [JSONValue]) -> [String: String] {
    guard case .object(let members) = rows.first?["result"] else { return [:] }
    return Dictionary(
      members.map { ($0.key, $0.value.text ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  private static func expectAllRefused(_ outcomes: [String: String]) {
    #expect(outcomes.count >= 100, "the attack program ran to its end")
    let worked = outcomes.filter { !["EPERM", "EACCES"].contains($0.value) }
    #expect(worked.isEmpty, "not refused: \(worked)")
  }

  @Test func `then it can access nothing but its own files and memory`() async throws {
    Self.expectAllRefused(try await attempts("--isolation", "required"))
    #expect(folder.names == [Array("victim".utf8)])
    #expect(try fileBytes(victim) == Array("content".utf8))
  }

  @Test(.enabled(if: getuid() == 0, "only root can become another user"))
  func `then the same is true for an unprivileged user`() async throws {
    let harness = try #require(BatchRun.harness)
    // The build folder may not be readable by others. A separate program makes the copy: a file
    // that this process writes cannot be executed while another test's child still has it open.
    let copy = folder.path(of: "harness")
    let copying = try await ProgramRun(
      ["install", "-m", "755", harness, copy].map { Array($0.utf8) })
    #expect(copying.status == 0, "\(copying.errText)")
    let run = try await ProgramRun(
      [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", copy,
        "batch", "--isolation", "required",
      ].map { Array($0.utf8) },
      input: .pieces(Array((BatchRun.task("a", "__attack") + "\n").utf8), of: 4096),
      environment: ["TRIM_ATTACK_FOLDER": folder.path])
    #expect(run.status == 0, "\(run.errText)")
    let rows = try run.out.split(separator: UInt8(ascii: "\n")).map { try JSONReader.read($0) }
    Self.expectAllRefused(Self.outcomes(rows))
  }

  @Test func `then without the seal the same attacks work`() async throws {
    let outcomes = try await attempts("--isolation", "off")
    for name in [
      "read_passwd", "status_of_name", "create_file", "overwrite_neighbour", "change_mode",
      "local_socket", "fork_process", "signal_parent", "outlive_parent", "map_writable_code",
      "data_becomes_code", "truncate_by_name",
    ] {
      #expect(outcomes[name] == "allowed", "\(name): \(outcomes[name] ?? "not tried")")
    }
  }

  @Test func `then nothing that the caller had open remains open`() async throws {
    let harness = try #require(BatchRun.harness)
    let run = try await ProgramRun(
      [
        "bash", "-c", #"exec 9<"$1" 77>>"$1"; "$0" batch <<<'{"op":"__inherited","path":"x"}'"#,
        harness, victim,
      ].map { Array($0.utf8) })
    let row = try JSONReader.read(run.out.filter { $0 != UInt8(ascii: "\n") })
    #expect(row["result"]?["descriptors"]?.text == "0")
  }
}
