import Glibc
import TerminalUI

/// A program only for the tests: it takes its terminal, prints the events it receives, and ends or
/// crashes in the way that a key selects.
///
/// With the argument `obedient` it ends when a signal asks it to.
@main struct TerminalHarness {
  static func main() async throws {
    let isObedient = CommandLine.arguments.contains("obedient")
    let mode = try TerminalMode(0, options: [.screen, .mouse])
    let input = try TerminalInput(0, environment: [:])
    let (start, jobStart) = (ContinuousClock.now, JobClock().now)
    try say("ready", on: mode)
    for await event in input.events {
      switch event {
      case .key(.character("q")): exit(3)
      case .key(.character("d")):
        mode.leave()
        // The terminal is free again: it can be taken a second time.
        let again = try TerminalMode(0, options: [])
        try say("again", on: again)
        again.leave()
        exit(0)
      case .key(.character("f")):
        // More than the buffer of any terminal that nobody reads.
        for _ in 0..<100_000 { try mode.draw(Array(repeating: 0x2E, count: 100_000)) }
        exit(4)
      case .key(.character("t")):
        do {
          _ = try TerminalMode(0, options: [])
        } catch {
          try say("\(error)", on: mode)
        }
      case .key(.character("i")):
        let nowhere: [Int] = []
        exit(Int32(nowhere[nowhere.count]))
      case .key(.character("a")):
        try say("aborts", on: mode)
        abort()
      case .key(.character("s")): raise(SIGSEGV)
      case .key(.control("z")): mode.suspend()
      case .key(.character("c")):
        let (all, ran) = (ContinuousClock.now - start, jobStart.duration(to: JobClock().now))
        try say("stopped for \((all - ran) / .milliseconds(1)) ms", on: mode)
      case .asked(let signal) where isObedient: mode.end(by: signal)
      default: try say("\(event)", on: mode)
      }
    }
  }

  static func say(_ text: String, on mode: borrowing TerminalMode) throws {
    while try !mode.draw(Array("<\(text)>\r\n".utf8)) { sched_yield() }
  }
}
