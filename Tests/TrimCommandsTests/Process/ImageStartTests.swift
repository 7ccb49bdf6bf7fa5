import FoundationEssentials
import Glibc
import Support
import Testing

/// The entry point of the image, with another program in trim's place.
@Suite(.timeLimit(.minutes(1))) struct `Given the start of the image` {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "tools/packaging/image-start").path

  private static func start(
    _ arguments: [String], as program: String = "/bin/echo", address: String? = nil,
    mayWrite: Bool = true
  ) async throws -> (run: ProgramRun, folder: String) {
    let folder = try ScratchFolder()
    symlink(program, "\(folder.path)/trim")
    chmod(folder.path, 0o755)
    var environment = ["PATH": "\(folder.path):/usr/bin:/bin"]
    environment["TRIM_STUDIO_ADDRESS"] = address
    var words = ["/bin/sh", script] + arguments
    if !mayWrite { words = ["setpriv", "--reuid=65534", "--clear-groups"] + words }
    let run = try await ProgramRun(
      words.map { Array($0.utf8) }, environment: environment, folder: folder.path)
    return (run, folder.path)
  }

  @Test(arguments: [nil, "nas.example:9000"])
  func `when there are no arguments, then the studio shows the folder`(
    _ address: String?
  ) async throws {
    let (run, folder) = try await Self.start([], address: address)
    #expect(
      run.outText == "studio --no-open --listen 0.0.0.0 --port 8000 --address "
        + "\(address ?? "127.0.0.1:8000") \(folder)\n")
    #expect(run.errText.isEmpty)
  }

  @Test func `when there are arguments, then they are trim's`() async throws {
    let (run, _) = try await Self.start(["cut", "a b.mp4", "--to", "2"])
    #expect(run.outText == "cut a b.mp4 --to 2\n")
    #expect(run.errText.isEmpty)
    #expect(run.status == 0)
    let failed = try await Self.start(["-c", "exit 73"], as: "/bin/sh").run
    #expect(failed.status == 73)
    #expect(failed.errText.isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0), arguments: [("cut", 1), ("strip", 1), ("probe", 0)])
  func `when the folder cannot be written, then a sentence names the option`(
    _ command: String, _ count: Int
  ) async throws {
    let (run, _) = try await Self.start([command, "a.mp4"], mayWrite: false)
    #expect(run.status == 0)
    #expect(run.outText == "\(command) a.mp4\n")
    let option = "--user \"$(id -u):$(id -g)\""
    let sentences = run.errText.split(separator: "\n").filter { $0.contains(option) }
    #expect(sentences.count == count)
    let (studio, folder) = try await Self.start([], mayWrite: false)
    #expect(studio.errText.contains("user 65534 may not write into \(folder)"))
    #expect(studio.outText.hasPrefix("studio "))
  }
}
