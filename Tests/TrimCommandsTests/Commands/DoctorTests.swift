import CommandLineKit
import Isolation
import JSON
import MediaEngine
import Testing

@testable import TrimCommands

@Suite struct `Given trim doctor` {
  @Suite struct `When it looks for the user's directories` {
    private func directories(
      _ environment: [String: String], existing: [String: Bool] = ["/home/ada": true, "/": false]
    ) -> [UserDirectories.Directory] {
      UserDirectories { existing[$0] }.all(.fixed(environment))
    }

    @Test func `then they are in the home directory by default`() {
      let found = directories(["HOME": "/home/ada"])
      #expect(found.map(\.purpose) == ["config", "state", "cache"])
      #expect(
        found.map(\.path) == [
          "/home/ada/.config/trim", "/home/ada/.local/state/trim", "/home/ada/.cache/trim",
        ])
      #expect(found.map(\.isWritable) == [true, true, true])
    }

    @Test func `then variables take precedence, and relative paths are ignored`() {
      let found = directories([
        "HOME": "/home/ada", "XDG_STATE_HOME": "/var/state", "XDG_CACHE_HOME": "cache",
      ])
      #expect(found[1] == .init(purpose: "state", path: "/var/state/trim", isWritable: false))
      #expect(found[2].path == "/home/ada/.cache/trim")
    }

    @Test func `then without a home there are none`() {
      #expect(directories([:]).allSatisfy { $0.path == nil && !$0.isWritable })
    }

    @Test func `then an existing directory that is read-only is not writable`() {
      let found = directories(
        ["HOME": "/home/ada"], existing: ["/home/ada": true, "/home/ada/.cache": false])
      #expect(found.map(\.isWritable) == [true, true, false])
    }
  }

  @Suite struct `When FFmpeg's libraries are missing` {
    @Test func `then it reports that, what to do, and the status`() {
      let run = ToolRun("doctor")
      #expect(run.status == 69)
      #expect(run.out.contains("MISSING: FFmpeg's libraries cannot be loaded."))
      #expect(run.out.contains("apt-get install libavformat"))
      #expect(run.out.contains("Tried: libavutil.so."))
      #expect(ToolRun("doctor", "--json").out.contains("\"well\": false"))
    }

    @Test func `then the libraries of another version are refused in a sentence`() {
      let traits = StreamTraits(
        isTerminal: false, terminalColumns: 200, color: .never, isPlain: true,
        environment: .fixed(["LANG": "C.UTF-8"]))
      var findings = DoctorFindings(
        engine: nil, webServer: nil, limits: .standard, out: traits, err: traits, terminal: nil,
        shown: TerminalFindings(nil, .fixed([:])), directories: [], clockNanoseconds: nil)
      findings.mismatch = "this system has FFmpeg 99.1, and this build of trim is for FFmpeg 9"
      let text = DoctorScreen(findings: findings, traits: traits, isPlain: true).text
      #expect(
        text.contains("But this system has FFmpeg 99.1, and this build of trim is for FFmpeg 9."))
      let json = String(decoding: JSONWriter.write(findings.json, .indented), as: UTF8.self)
      #expect(json.contains("\"mismatch\": \"this system has"))
    }

    @Test func `then it says whether the sandbox is complete`() {
      let isComplete = SandboxLayers.available.isComplete
      #expect(ToolRun("doctor", "--json").out.contains("\"complete\": \(isComplete)"))
      #expect(ToolRun("doctor").out.contains(isComplete ? "Complete: " : "Not complete without "))
    }
  }
}
