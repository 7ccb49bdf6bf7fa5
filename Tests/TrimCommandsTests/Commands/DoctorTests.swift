import Isolation
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
      #expect(ToolRun("doctor", "--json").out.contains("\"well\": false"))
    }

    @Test func `then it says whether the sandbox is complete`() {
      let isComplete = SandboxLayers.available.isComplete
      #expect(ToolRun("doctor", "--json").out.contains("\"complete\": \(isComplete)"))
      #expect(ToolRun("doctor").out.contains(isComplete ? "Complete: " : "Not complete without "))
    }
  }
}
