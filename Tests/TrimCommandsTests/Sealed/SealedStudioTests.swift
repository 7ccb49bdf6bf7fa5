import Isolation
import Support
import Testing

@testable import TrimCommands

/// A minimal browser: enters a studio of the harness and sends requests.
private struct StudioVisit {
  /// The requests, as `GET` paths below the file; `kill` ends the decoding processes.
  var asks: [String]
  var environment: [String: String] = [:]

  private static let script = """
    clip=$1 asks=$2
    TRIM_ISOLATION=required "$0" studio --no-open --first-run "$clip" >out 2>err & studio=$!
    trap 'kill -KILL $studio' EXIT
    for _ in {1..400}; do [[ -s out ]] && break; sleep 0.05; done
    IFS=:/# read -r _ _ _ host port _ token <out
    ask() {
      exec 3<>"/dev/tcp/127.0.0.1/$port"
      printf '%s HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n%s\\r\\n%s' "$1" "$2" "$3" >&3
      cat <&3
      exec 3>&-
    }
    body="{\\"token\\":\\"$token\\"}"
    cookie=$(ask 'POST /session' $'Content-Type: application/json\\r\\nContent-Length: '${#body}$'\\r\\n' \\
      "$body" | tr -d '\\r' | sed -n 's/^Set-Cookie: \\([^;]*\\).*/\\1/Ip')
    for wish in $asks; do
      case $wish in
        kill)
          # The studio may start others meanwhile: those that were there are waited for.
          doomed=$(pgrep -d , -P $studio)
          kill -KILL ${doomed//,/ }
          while ps -o stat= -p "$doomed" | grep -qv Z; do sleep 0.01; done
          ;;
        *) ask "GET /files/0/$wish" "Cookie: $cookie"$'\\r\\n' '' | tr -d '\\0' |
          sed -n '1p; /^The\\|^FFmpeg\\|=E/p' ;;
      esac
    done
    """

  func run(_ clip: String) async throws -> ProgramRun {
    let harness = try #require(BatchRun.harness)
    let folder = try ScratchFolder()
    return try await ProgramRun(
      ["bash", "-c", Self.script, harness, clip, asks.joined(separator: " ")].map {
        Array($0.utf8)
      }, environment: environment, folder: folder.path, limit: .seconds(60))
  }
}

@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(
    if: SandboxLayers.available.isSuperset(of: .essential), "this system cannot seal a process"),
  .timeLimit(.minutes(2)))
struct `Given a studio whose decoders are attacked or killed` {
  private static let still = "still?at=1&width=64&height=64"

  @Test(arguments: ["probe", "pictures"])
  func `when code runs in an exploited decoder, then it can access nothing`(_ operation: String)
    async throws
  {
    let folder = try ScratchFolder()
    let visit = StudioVisit(
      asks: ["check", Self.still],
      environment: ["TRIM_ENGINE_ATTACK": operation, "TRIM_ATTACK_FOLDER": folder.path])
    let run = try await visit.run(SealedCommand.clip)
    let outcomes = run.outText.split { $0.isWhitespace || $0 == "." }
      .filter { $0.contains("=") }
    #expect(outcomes.count >= 100, "\(run.outText.prefix(500)) \(run.errText)")
    let worked = outcomes.filter { !$0.hasSuffix("=EPERM") && !$0.hasSuffix("=EACCES") }
    #expect(worked.isEmpty, "not refused: \(worked)")
    #expect(folder.names.isEmpty)
  }

  @Test func `when they are killed, then the next picture still arrives`() async throws {
    let visit = StudioVisit(asks: ["check", Self.still, "kill", Self.still, "kill", Self.still])
    let run = try await visit.run(SealedCommand.clip)
    let statuses = run.outText.split(whereSeparator: \.isNewline).filter {
      $0.hasPrefix("HTTP/1.1 ")
    }
    #expect(
      statuses.map { $0.dropFirst("HTTP/1.1 ".count).prefix(3) } == ["204", "200", "200", "200"],
      "\(run.outText) \(run.errText)")
  }
}
