import ExactTime
package import Libav

/// A file without some of its bytes, read as one that never had them.
package final class SplicedInput: ByteInput {
  private let file: any ByteInput
  /// What is read, in order: from where in the file, and at which position.
  private let pieces: [Piece]
  private let length: Int64

  private struct Piece {
    var range: Range<Int64>
    var position: Int64

    var end: Int64 { position + (range.upperBound - range.lowerBound) }
  }

  /// - Parameters:
  ///   - left: the ranges that are left out, in file order, without overlap.
  ///   - end: where the file ends for the reader.
  init(_ file: any ByteInput, without left: [Range<Int64>], before end: Int64) {
    self.file = file
    var pieces: [Piece] = []
    var (next, position): (Int64, Int64) = (0, 0)
    for gap in left + [end..<end] {
      let stop = min(gap.lowerBound, end)
      if next < stop {
        pieces.append(Piece(range: next..<stop, position: position))
        position += stop - next
      }
      next = max(next, gap.upperBound)
    }
    self.pieces = pieces
    length = position
  }

  package var byteCount: Int64? { length }
  package var refusal: String? { file.refusal }

  /// Where in the file a position is.
  package func place(of position: Int64) -> Int64 {
    guard let piece = piece(at: position) ?? pieces.last else { return position }
    return piece.range.lowerBound + (position - piece.position)
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    guard let piece = piece(at: position) else { return 0 }
    let count = Int(min(Int64(buffer.count), piece.end - position))
    return try file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]),
      at: piece.range.lowerBound + (position - piece.position))
  }

  private func piece(at position: Int64) -> Piece? {
    let index = pieces.indices.partitionPoint { pieces[$0].end > position }
    return index < pieces.count && position >= 0 ? pieces[index] : nil
  }
}
