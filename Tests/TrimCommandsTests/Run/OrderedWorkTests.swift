import CommandLineKit
import Synchronization
import TerminalUI
import Testing
import Threads

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given more work than threads` {
  private func run(_ count: Int, workers: Int, stopAfter: Int = .max) -> [Int] {
    var next = 0
    var seen: [Int] = []
    OrderedWork<Int, Int>(workers: workers) { $0 * $0 }.run(
      next: { () -> Int? in
        guard next < count else { return nil }
        defer { next += 1 }
        return next
      },
      emit: { _, output in
        seen.append(output)
        return seen.count < stopAfter
      })
    return seen
  }

  @Test(arguments: [1, 2, 7], [0, 1, 2, 500])
  func `then results come in the order of the inputs`(_ workers: Int, _ count: Int) {
    #expect(run(count, workers: workers) == (0..<count).map { $0 * $0 })
  }

  @Test(arguments: [0, 1])
  func `then a system with few threads left only makes it slower`(_ threads: Int) {
    let left = Mutex(threads)
    var work = OrderedWork<Int, Int>(workers: 3) { $0 * $0 }
    work.startThread = { body in
      let isLeft = left.withLock { left in
        left -= 1
        return left >= 0
      }
      return isLeft && WaitingThread.run(body)
    }
    var numbers = (0..<100).makeIterator()
    var seen: [Int] = []
    work.run(
      next: { () -> Int? in numbers.next() },
      emit: { _, output in
        seen.append(output)
        return true
      })
    #expect(seen == (0..<100).map { $0 * $0 })
  }

  @Test func `then it stops on request`() {
    #expect(run(500, workers: 3, stopAfter: 4) == [0, 1, 4, 9])
  }

  @Test func `then no more inputs are taken than may wait`() {
    let workers = 2
    let taken = Mutex(0)
    var mostAhead = 0
    var emitted = 0
    OrderedWork<Int, Int>(workers: workers) { $0 }.run(
      next: { () -> Int? in
        let number = taken.withLock { taken -> Int in
          taken += 1
          return taken
        }
        mostAhead = max(mostAhead, number - emitted)
        return number <= 1000 ? number : nil
      },
      emit: { _, _ in
        emitted += 1
        return true
      })
    #expect(emitted == 1000)
    #expect(mostAhead <= 4 * workers + 1)
  }
}

@Suite struct `Given a list of names` {
  private func names(
    _ text: [UInt8], separator: UInt8 = UInt8(ascii: "\n"), chunk: Int = 3
  ) throws -> [[UInt8]] {
    var rest = text[...]
    var reader = NameReader(separator: separator) { () throws(NameReader.Failure) -> [UInt8] in
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
    var names: [[UInt8]] = []
    while let name = try reader.next() { names.append(name) }
    return names
  }

  @Test(arguments: [1, 2, 3, 5, 100])
  func `then each line is a name, however the input is split`(_ chunk: Int) throws {
    let names = try names(Array("a.mp4\n\n b \nlast".utf8), chunk: chunk)
    #expect(names == ["a.mp4", " b ", "last"].map { Array($0.utf8) })
  }

  @Test func `then NUL separates names with newlines in them`() throws {
    let names = try names(Array("a\nb\0\u{0}c".utf8), separator: 0)
    #expect(names == ["a\nb", "c"].map { Array($0.utf8) })
  }

  @Test func `then bytes that are not valid text are kept`() throws {
    #expect(try names([0xe9, 0x0a, 0xff]) == [[0xe9], [0xff]])
  }

  @Test func `then an endless name is refused`() throws {
    let endless = [UInt8](repeating: 0x61, count: NameReader.longestName * 2)
    #expect(throws: NameReader.Failure.nameTooLong) { try names(endless, chunk: 4096) }
  }
}
