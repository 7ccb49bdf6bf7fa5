import CSystem
import Glibc

/// Receives requests: lines on standard input, with accompanying descriptors.
struct WorkerDoor {
  private var pending: [UInt8] = []
  private var descriptors: [Int32] = []

  /// A request is a task preceded by a short header.
  private static let longest = BatchTask.longestLine + 256

  /// The next request with its files; `nil` at the end, or after an invalid request.
  mutating func next() -> (request: WorkerRequest, descriptors: [Int32])? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let request = WorkerRequest(pending[..<end])
        pending.removeSubrange(...end)
        defer { descriptors = [] }
        return request.map { ($0, descriptors) }
      }
      guard pending.count <= Self.longest, receive() else { return nil }
    }
  }

  private mutating func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var found = [Int32](repeating: -1, count: Int(TRIM_MOST_DESCRIPTORS))
    var count: Int32 = 0
    let received = trim_receive(STDIN_FILENO, &buffer, buffer.count, &found, &count)
    guard received > 0 else { return false }
    pending += buffer[..<received]
    descriptors += found[..<Int(count)]
    return true
  }
}
