import CSystem
import Glibc
import TerminalUI
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Given pseudo-terminals that are opened at once` {
  /// Opens and closes them on this thread.
  ///
  /// - Returns: how many have had the name of another.
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

  @Test func `then each has a name of its own`() async throws {
    let misnamed = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask { try await WaitingThread.value { Self.misnamed(of: 5000) } }
      }
      return try await group.reduce(0, +)
    }
    #expect(misnamed == 0)
  }
}
