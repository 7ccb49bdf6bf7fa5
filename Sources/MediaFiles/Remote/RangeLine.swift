import CSystem
import Glibc
import Libav
import Synchronization

/// The line to a process that has a remote file: a connected socket, on which a sealed process asks for bytes.
///
/// A request is three numbers of 64 bits: what is asked, an offset, and a count. An answer is one: how many
/// bytes follow, or 1 and 0 for yes and no; negative after a failure, which the other process knows.
struct RangeLine: RangedBytes {
  /// What is asked.
  enum Question: Int64 {
    case read, expect, isAtHand, announce
  }

  /// The most bytes of one answer.
  static let mostBytes = 1 << 20
  static let requestBytes = 24

  let descriptor: Int32

  /// Every descriptor of this process is read by one thread at a time.
  private static let turn = Mutex(())

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) -> Result<Int, InputFault> {
    var done = 0
    while done < buffer.count {
      let count = min(buffer.count - done, Self.mostBytes)
      let place = position + Int64(done)
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      let came = Self.turn.withLock { _ -> Int? in
        guard ask(.read, place, Int64(count)), let reported = answer(),
          (0...count).contains(reported)
        else { return nil }
        let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<reported])
        return Self.receive(part, from: descriptor) ? reported : nil
      }
      guard let came else { return .failure(InputFault(.failed(EIO), at: place)) }
      done += came
      if came < count { break }
    }
    return .success(done)
  }

  func expect(_ range: Range<Int64>) { post(.expect, range) }
  func announce(_ range: Range<Int64>) { post(.announce, range) }

  private func post(_ question: Question, _ range: Range<Int64>) {
    Self.turn.withLock { _ in
      _ = ask(question, range.lowerBound, range.upperBound - range.lowerBound)
    }
  }

  func isAtHand(_ range: Range<Int64>) -> Bool {
    Self.turn.withLock { _ in
      ask(.isAtHand, range.lowerBound, range.upperBound - range.lowerBound) && answer() == 1
    }
  }

  private func ask(_ question: Question, _ offset: Int64, _ count: Int64) -> Bool {
    let words = [question.rawValue, offset, count]
    return words.withUnsafeBytes { Self.send($0, to: descriptor) }
  }

  private func answer() -> Int? {
    var word: Int64 = 0
    let isThere = withUnsafeMutableBytes(of: &word) { Self.receive($0, from: descriptor) }
    return isThere ? Int(exactly: word) : nil
  }

  /// - Returns: `false` if the other end is closed.
  static func receive(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Bool {
    var done = 0
    while done < buffer.count {
      let count = Glibc.read(
        descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  static func send(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var done = 0
    while done < buffer.count {
      let count = Glibc.write(
        descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
