import Glibc

/// Answers what a sealed process asks about one remote file, until it closes its end of the line.
///
/// What it asks is not trusted: it gets bytes of this file, and nothing else.
struct RangeServer {
  let file: RemoteFile
  let descriptor: Int32

  func run() {
    defer { close(descriptor) }
    var words: [Int64] = [0, 0, 0]
    var buffer: [UInt8] = []
    while words.withUnsafeMutableBytes({ RangeLine.receive($0, from: descriptor) }) {
      let (offset, count) = (words[1], words[2])
      let (end, overflows) = offset.addingReportingOverflow(count)
      guard let question = RangeLine.Question(rawValue: words[0]), offset >= 0, count >= 0,
        !overflows
      else { return }
      switch question {
      case .expect: file.expect(offset..<end)
      case .announce: file.announce(offset..<end)
      case .isAtHand:
        guard answer(file.isAtHand(offset..<end) ? 1 : 0) else { return }
      case .read:
        guard count <= Int64(RangeLine.mostBytes) else { return }
        if buffer.count < Int(count) { buffer = [UInt8](repeating: 0, count: Int(count)) }
        let isSent = buffer.withUnsafeMutableBytes { bytes -> Bool in
          let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<Int(count)])
          switch file.read(into: part, at: offset) {
          case .failure: return answer(-1)
          case .success(let came):
            let filled = UnsafeRawBufferPointer(
              rebasing: UnsafeRawBufferPointer(part)[..<came])
            return answer(Int64(came)) && deliver(filled)
          }
        }
        guard isSent else { return }
      }
    }
  }

  private func answer(_ word: Int64) -> Bool { withUnsafeBytes(of: word, deliver) }

  private func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
    Self.deliver(bytes, to: descriptor)
  }

  /// A process that has ended must not end this one by a signal.
  static func deliver(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = send(
        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
        Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
