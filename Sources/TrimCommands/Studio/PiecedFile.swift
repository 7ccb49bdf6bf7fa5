import CSystem
import Glibc
import Isolation
import MediaEngine
import TrimStudio
import Trimming

/// A result stored in pieces: its header and edges in an unnamed file, everything else in the source.
final class PiecedFile: Sendable {
  private let result: LaidResult
  /// Where each piece begins in the result.
  private let starts: [Int64]
  let byteCount: Int64

  init(_ result: LaidResult) {
    self.result = result
    var starts: [Int64] = []
    var end: Int64 = 0
    for piece in result.pieces {
      starts.append(end)
      end += piece.count
    }
    self.starts = starts
    byteCount = end
  }

  /// - Throws: `VideoFailure` if the source is no longer the one that was cut.
  func bytes(_ range: Range<Int64>) throws(VideoFailure) -> [UInt8] {
    guard result.source.isUnchanged() else {
      throw VideoFailure("The file has been changed since it was opened: open it again.")
    }
    var bytes = [UInt8](repeating: 0, count: range.count)
    var at = range.lowerBound
    var number = piece(at: at)
    while at < range.upperBound, number < starts.count {
      let piece = result.pieces[number]
      let inside = at - starts[number]
      let count = Int(min(piece.count - inside, range.upperBound - at))
      try Self.read(
        piece.isMade ? result.made.descriptor : result.source.descriptorToHandOver,
        at: piece.offset + inside,
        count, into: &bytes, at: Int(at - range.lowerBound))
      at += Int64(count)
      number += 1
    }
    return bytes
  }

  /// The index of the piece that contains a byte.
  private func piece(at place: Int64) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = low + (high - low) / 2
      if starts[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  private static func read(
    _ descriptor: Int32, at offset: Int64, _ count: Int, into bytes: inout [UInt8], at place: Int
  ) throws(VideoFailure) {
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(
          descriptor, buffer.baseAddress.map { $0 + place + done }, count - done,
          off_t(offset) + off_t(done))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw VideoFailure("The result can no longer be read: make it again.") }
      done += read
    }
  }
}

extension StudioMedia {
  /// Creates media from a result stored in pieces, read on a dedicated thread.
  init(_ file: PiecedFile, type: String) {
    let worker = StudioWorker()
    self.init(type: type, byteCount: UInt64(file.byteCount)) { range in
      try await worker.value { try file.bytes(Int64(range.lowerBound)..<Int64(range.upperBound)) }
    }
  }
}

extension StudioResult {
  /// Creates media from a result stored in pieces, for a file that is shown.
  init(_ laid: LaidResult, of media: PlayedMedia, name: String, type: String) {
    let nothing = VideoFailure("A result that is not written has no thumbnails.")
    self.init(
      facts: StudioFacts(media, name: name, bytes: laid.byteCount, end: laid.end),
      frames: laid.frames, end: laid.end, seams: laid.seams,
      media: StudioMedia(PiecedFile(laid), type: type),
      pictures: StudioPictures(
        still: { _, _, _ in throw nothing }, strip: { _, _ in throw nothing },
        levels: { _, _ in throw nothing }, segment: { _, _, _ in nil }))
    isWritten = false
  }
}
