import Libav
import Synchronization

/// Bytes in memory that misbehave as a test requires.
final class ScriptedInput: ByteInput {
  /// What goes wrong.
  struct Script: Sendable {
    /// The read that fails, counted from 0, and how.
    var failingRead: Int?
    var failure = InputFault.Kind.failed(5)
    /// The maximum byte counts of successive reads, in turn; empty for no limit.
    var pieces: [Int] = []
    var knowsItsSize = true
    /// Zeros that follow the bytes.
    var trailingZeros: Int64 = 0
  }

  private let bytes: [UInt8]
  private let script: Script
  private let reads = Mutex(0)
  private let returned = Mutex(0)

  init(_ bytes: [UInt8], _ script: Script = Script()) {
    self.bytes = bytes
    self.script = script
  }

  var readCount: Int { reads.withLock { $0 } }
  /// How many bytes all reads returned.
  var readBytes: Int { returned.withLock { $0 } }

  private var end: Int64 { Int64(bytes.count) + script.trailingZeros }

  var byteCount: Int64? { script.knowsItsSize ? end : nil }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    let number = reads.withLock { count in
      defer { count += 1 }
      return count
    }
    if number == script.failingRead { throw InputFault(script.failure, at: position) }
    guard position < end else { return 0 }
    let most = script.pieces.isEmpty ? .max : script.pieces[number % script.pieces.count]
    let count = Int(min(Int64(min(buffer.count, most)), end - position))
    returned.withLock { $0 += count }
    let place = Int(clamping: position)
    let given = bytes[min(place, bytes.count)..<min(place + count, bytes.count)]
    buffer.copyBytes(from: given)
    for index in given.count..<count { buffer[index] = 0 }
    return count
  }
}
