import Isolation
import Support
import Testing

@testable import TrimCommands

@Suite(.timeLimit(.minutes(2))) struct `Given several files that FFmpeg reads in one command` {
  private static let clips = ["chapters.mkv", "broadcast.ts", "live.webm", "vbr.mp3"]

  @Test(.enabled(if: BuiltTool.path != nil && SystemTrace.isPossible, "needs trim and strace"))
  func `then its processes load FFmpeg once, and each is sealed`() async throws {
    let tool = try #require(BuiltTool.path)
    let folder = try ScratchFolder()
    let log = folder.path(of: "calls")
    var words = [
      "strace", "-f", "-qq", "-e", "trace=execve,clone,seccomp", "-o", log, tool, "probe",
      "--jsonl",
      "-j", "3", "--isolation", "required",
    ]
    words += (Self.clips + Self.clips).map(SampleClips.path)
    let run = try await ProgramRun(words.map { Array($0.utf8) })
    #expect(run.errText == "")
    #expect(run.out.count { $0 == 0x0A } == 2 * Self.clips.count)
    let calls = String(decoding: try fileBytes(log), as: UTF8.self).split(separator: "\n")
    #expect(calls.count { $0.contains("execve(") && $0.contains("__engine") } == 1)
    #expect(calls.count { $0.contains("CLONE_PARENT|SIGCHLD") } == 2)
    let sealed = calls.filter { $0.contains("seccomp(SECCOMP_SET_MODE_FILTER") }
    #expect(Set(sealed.compactMap { $0.split(separator: " ").first }).count == 3)
  }

  @Test func `then a process reports its process ID`() {
    let greeting = SealGreeting(SandboxLayers(rawValue: 5), of: 77)
    #expect(SealGreeting(greeting.line.dropLast()) == greeting)
    for line in ["", "sealed", "sealed 5", "sealed 5 1", "sealed 5 -7", "sealed x 77", "open 5 77"]
    {
      #expect(SealGreeting(Array(line.utf8)[...]) == nil, "\(line)")
    }
  }
}
