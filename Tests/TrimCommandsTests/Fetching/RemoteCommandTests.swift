import CommandLineKit
import Glibc
import Support
import Testing

/// Commands whose file is on a server of this machine, as a user runs them.
@Suite(.enabled(if: BatchRun.harness != nil, BatchRun.absence), .timeLimit(.minutes(1)))
struct `Given a file on a server` {
  private let folder: ScratchFolder
  private let server: ScriptedServer
  private let clip: [UInt8]

  init() throws {
    folder = try ScratchFolder()
    let clip = try SampleClips.bytes("b-frames.mp4")
    self.clip = clip
    server = try ScriptedServer { _, request in
      let range = (request.range ?? 0..<clip.count).clamped(to: 0..<clip.count)
      let stated = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(clip.count)"
      return [
        .text(
          "HTTP/1.1 206 P\r\n\(stated)\r\nContent-Length: \(range.count)\r\nETag: \"a\"\r\n\r\n"),
        .send(Array(clip[range])),
      ]
    }
  }

  private var address: String { "http://127.0.0.1:\(server.port)/b-frames.mp4?key=secret" }

  private func run(_ words: [String], input: ProgramRun.Input = .nothing) async throws -> ProgramRun
  {
    let harness = try #require(BatchRun.harness)
    return try await ProgramRun(
      ([harness] + words).map { Array($0.utf8) }, input: input, environment: ["LANG": "C.UTF-8"],
      folder: folder.path)
  }

  @Test(arguments: [
    (["wave"], "w.png"), (["timeline"], "t.svg"), (["strip", "--count", "2"], "s.png"),
  ])
  func `then what is drawn of it is what is drawn of a local file`(
    _ words: [String], _ name: String
  ) async throws {
    let local = folder.path(of: "b-frames.mp4")
    try folder.write(clip, to: "b-frames.mp4")
    let one = try await run(words + ["-o", "local-" + name, local])
    let other = try await run(words + ["--allow-private-network", "-o", "remote-" + name, address])
    #expect(one.status == 0 && other.status == 0, "\(one.errText)\(other.errText)")
    #expect(!(other.outText + other.errText).contains("secret"))
    let drawn = try fileBytes(folder.path(of: "remote-" + name))
    #expect(!drawn.isEmpty)
    // A timeline names its file.
    guard name != "t.svg" else { return }
    #expect(try drawn == fileBytes(folder.path(of: "local-" + name)))
  }

  @Test(arguments: ["probe", "check"])
  func `then its row says what was fetched`(_ command: String) async throws {
    for format in ["--json", "--jsonl"] {
      let run = try await run([command, format, "--allow-private-network", address])
      let cost = try JSONReader.read(run.out.dropLast())["remote"]
      #expect(cost?["requests"]?.exactInteger == 1, "\(run.outText)\(run.errText)")
      #expect(cost?["bytes"]?.exactInteger == Int64(clip.count))
    }
    let local = folder.path(of: "b-frames.mp4")
    try folder.write(clip, to: "b-frames.mp4")
    #expect(try await !run([command, "--json", local]).outText.contains("\"remote\""))
  }

  @Test func `then rows of a batch say what was fetched for each, over one connection`()
    async throws
  {
    let tasks = (0..<6).map { number in
      #"{"op":"probe","path":"http://127.0.0.1:\#(server.port)/\#(number).mp4?key=secret"}"#
    }
    let run = try await run(
      ["batch", "--allow-private-network", "-j", "1"],
      input: .pieces(Array(tasks.joined(separator: "\n").utf8), of: 4096))
    let rows = run.out.split(separator: 10).compactMap { try? JSONReader.read($0) }
    #expect(rows.count == 6)
    for row in rows {
      #expect(row["remote"]?["requests"]?.exactInteger == 1, "\(run.outText)")
      #expect(row["remote"]?["bytes"]?.exactInteger == Int64(clip.count))
    }
    #expect(server.connections == 1)
    #expect(!(run.outText + run.errText).contains("secret"))
  }

  @Test func `then a local file of a batch costs nothing`() async throws {
    try folder.write(clip, to: "b-frames.mp4")
    let run = try await run(["batch"], input: .pieces(Array("b-frames.mp4\n".utf8), of: 64))
    #expect(try JSONReader.read(run.out.dropLast())["remote"] == .null)
  }
}

/// A server whose certificate is signed by itself.
@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is missing"),
  .timeLimit(.minutes(1)))
struct `Given a server whose certificate nobody signed` {
  @Test func `then nothing is fetched, and it says why`() async throws {
    let folder = try ScratchFolder()
    let harness = try #require(BatchRun.harness)
    let port = try LoopbackListener().port
    let script = #"""
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -days 2 -keyout key.pem -out own.pem 2>/dev/null
      openssl s_server -accept "$1" -cert own.pem -key key.pem -quiet >/dev/null 2>&1 &
      server=$!
      for _ in $(seq 100); do (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null && break; sleep 0.05; done
      "$0" probe --json --allow-private-network "https://localhost:$1/a.mp4?key=secret"
      status=$?
      kill $server
      exit $status
      """#
    let run = try await ProgramRun(
      ["bash", "-c", script, harness, "\(port)"].map { Array($0.utf8) }, folder: folder.path)
    #expect(run.status == 69, "\(run.outText)\(run.errText)")
    #expect(run.outText.contains("tlsFailed"))
    #expect(run.errText.contains("no secure connection"))
    #expect(!(run.outText + run.errText).contains("secret"))
  }
}
