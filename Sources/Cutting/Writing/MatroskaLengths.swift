import ExactTime
import Libav
import Synchronization

/// Corrects the durations that FFmpeg's Matroska muxer states: it counts the codec delay and the
/// discarded padding as if they were heard.
///
/// An output that passes everything on and remembers the beginning of the file, where these
/// elements are.
final class MatroskaLengths: ByteOutput {
  private let output: any ByteOutput
  private let head: Mutex<WrittenHead>
  private let marks = Mutex(Marks())

  /// Positions of blocks whose duration is not stated yet.
  private struct Marks {
    var awaited = 0
    var found: [Int64] = []
    /// The last bytes that were written, and their end position.
    var rest: [UInt8] = []
    var end: Int64 = 0
  }

  /// What this muxer writes for a padding that it cannot calculate: a DiscardPadding (RFC 9559,
  /// 5.1.3.5.7) of the smallest 8-byte number.
  private static let mark: [UInt8] = [0x75, 0xA2, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0]

  /// Info and the tags precede the first cluster, with attachments between them.
  private static let headSize = 1 << 20

  /// - Parameter attached: total size of all attachments in bytes.
  init(_ output: any ByteOutput, attached: Int) {
    self.output = output
    head = Mutex(WrittenHead(most: Self.headSize + attached))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    try output.write(bytes, at: position)
    look(at: bytes, position)
    head.withLock { $0.write(bytes, at: position) }
  }

  /// Announces a block whose duration is to be stated: its packet requests that samples be
  /// discarded at its end, which video packets do not have.
  func awaitMark() { marks.withLock { $0.awaited += 1 } }

  private func look(at bytes: UnsafeRawBufferPointer, _ position: Int64) {
    marks.withLock { marks in
      guard marks.found.count < marks.awaited else { return }
      let rest = marks.end == position ? marks.rest : []
      let all = rest + bytes
      var next = 0
      while let end = Self.place(of: Self.mark, in: all, from: next) {
        marks.found.append(position + Int64(end - rest.count - Self.mark.count))
        next = end
      }
      marks.rest = Array(all.suffix(Self.mark.count - 1))
      marks.end = position + Int64(bytes.count)
    }
  }

  /// Writes the durations over the marks of the marked blocks (5.1.3.5.3, BlockDuration), in the
  /// same number of bytes.
  ///
  /// - Parameter ticks: in the order in which the blocks were written.
  /// - Returns: false if the number of marked blocks differs.
  @discardableResult
  func stateLengths(ticks: [Int64]) throws(OutputFault) -> Bool {
    let found = marks.withLock { $0.found }
    guard found.count == ticks.count, ticks.allSatisfy({ $0 > 0 }) else { return false }
    for (place, length) in zip(found, ticks) {
      // The element size may be coded in two bytes instead of one (RFC 8794, 4.4).
      let value = withUnsafeBytes(of: length.bigEndian) { Array($0) }
      try output.write([0x9B, 0x40, 0x08] + value, at: place)
    }
    return true
  }

  /// States the duration of the file, and of each of its tracks.
  ///
  /// - Parameters:
  ///   - end: the end of what is shown.
  ///   - tracks: the same of every track, in order.
  func correct(end: MediaTime, tracks: [MediaTime]) throws(OutputFault) {
    let head = MatroskaHead(head.withLock(\.bytes))
    // The unit is a millisecond, as in all files of this muxer.
    if let place = head.duration {
      let exact = (try? end.seconds.multiplied(by: Rational(1000))) ?? end.seconds
      let ticks = exact.approximation
      try output.write(
        withUnsafeBytes(of: ticks.bitPattern.bigEndian) { Array($0) }, at: Int64(place))
    }
    for (place, length) in zip(head.statistics, tracks) {
      try output.write(Self.text(length), at: Int64(place))
    }
  }

  /// The position after a pattern.
  private static func place(
    of pattern: [UInt8], in bytes: [UInt8], from start: Int
  ) -> Int? {
    var next = start
    while let place = bytes[next...].firstIndex(of: pattern[0]),
      place + pattern.count <= bytes.count
    {
      next = place + pattern.count
      if bytes[place..<next].elementsEqual(pattern) { return next }
      next = place + 1
    }
    return nil
  }

  /// `00:00:04.007000000`, followed by two zeros.
  private static func text(_ end: MediaTime) -> [UInt8] {
    Array((Array(end.containerClock(places: 9).utf8) + [0, 0]).prefix(20))
  }
}
