import Glibc

/// Reads lines from a descriptor as they arrive, without waiting for more than one.
struct LineReader {
  enum Line: Equatable {
    case bytes([UInt8])
    /// Longer than allowed; skipped to its end.
    case tooLong
  }

  private let descriptor: Int32
  private let longest: Int
  /// Called while no input arrives; `true` ends reading.
  private let isCancelled: @Sendable () -> Bool
  private var pending: [UInt8] = []
  private var start = 0
  /// How many bytes before the pending ones were read.
  private var passed: Int64 = 0
  private var isAtEnd = false
  /// Why reading ended early.
  private(set) var failure: Int32?

  init(
    descriptor: Int32, longest: Int, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.descriptor = descriptor
    self.longest = longest
    self.isCancelled = isCancelled
  }

  /// How many bytes were read before the next line.
  var position: Int64 { passed + Int64(start) }

  /// The next line without its newline; `nil` at the end.
  mutating func next() -> Line? {
    var skips = false
    var searched = start
    while true {
      if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return skips || end - start > longest ? .tooLong : .bytes(Array(pending[start..<end]))
      }
      searched = pending.count
      guard !isAtEnd else {
        defer { (passed, pending, start) = (passed + Int64(pending.count), [], 0) }
        if skips || pending.count - start > longest { return .tooLong }
        return start == pending.count ? nil : .bytes(Array(pending[start...]))
      }
      if pending.count - start > longest {
        skips = true
        passed += Int64(pending.count)
        (pending, start, searched) = ([], 0, 0)
      } else if start > 0 {
        pending.removeFirst(start)
        passed += Int64(start)
        searched -= start
        start = 0
      }
      fill()
    }
  }

  private mutating func fill() {
    guard waitForInput() else {
      isAtEnd = true
      return
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      pending += buffer[..<count]
    } else if count == 0 {
      isAtEnd = true
    } else if errno != EINTR, errno != EAGAIN {
      failure = errno
      isAtEnd = true
    }
  }

  /// Returns `false` if the run was cancelled in the meantime.
  private func waitForInput() -> Bool {
    while !isCancelled() {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, 200)
      if ready > 0 || (ready < 0 && errno != EINTR) { return true }
    }
    return false
  }
}
