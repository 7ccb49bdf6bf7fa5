import CSystem
import Glibc
import Support
import TerminalUI
import Testing
import Threads

@Suite(.timeLimit(.minutes(1))) struct `Given pseudo-terminals that are opened at once` {
  /// Opens and closes them on this thread.
  ///
  /// - Returns: how many had the name of another.
  private static func misnamed(of count: Int) -> Int {
    var misnamed = 0
    for _ in 0..<count {
      var (controller, terminal): (Int32, Int32) = (-1, -1)
      var name = [CChar](repeating: 0, count: 64)
      guard trim_pty_open(&controller, &terminal, &name, name.count) == 0 else { return count }
      var (own, named) = (stat(), stat())
      if fstat(terminal, &own) != 0 || stat(name, &named) != 0 || own.st_rdev != named.st_rdev {
        misnamed += 1
      }
      var number: UInt32 = 0
      // TIOCGPTN, which Swift does not see: the number that the name ends with.
      let asked = ioctl(controller, 0x8004_5430, &number)
      let digits = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      if asked != 0 || !String(decoding: digits, as: UTF8.self).hasSuffix("/\(number)") {
        misnamed += 1
      }
      close(terminal)
      close(controller)
    }
    return misnamed
  }

  @Test func `then each has a unique name`() async throws {
    let misnamed = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask { try await WaitingThread.value { Self.misnamed(of: 5000) } }
      }
      return try await group.reduce(0, +)
    }
    #expect(misnamed == 0)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a terminal that does not show what a test waits for` {
  @Test func `then the error has the expected and the actual output`() async throws {
    let terminal = try PseudoTerminal()
    _ = try await terminal.remainingOutput()
    let error = await #expect(throws: PseudoTerminal.Missing.self) {
      try await terminal.output(until: "never", within: .milliseconds(100))
    }
    #expect(error?.description.hasPrefix("never did not come") == true)
  }

  @Test func `then a program that does not end is killed`() async throws {
    let terminal = try PseudoTerminal()
    let child = try ChildProcess("/bin/sleep", arguments: ["600"], on: terminal)
    await #expect(throws: DidNotCome.self) {
      try await child.nextChange(within: .milliseconds(100))
    }
    #expect(kill(child.id, 0) != 0, "it is gone")
  }
}
