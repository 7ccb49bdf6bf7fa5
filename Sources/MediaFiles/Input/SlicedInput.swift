package import Libav

/// A part of a file, read as a separate file.
package final class SlicedInput: ByteInput {
  private let file: InputFile
  private let range: Range<Int64>
  private let hasAllEntries: Bool

  /// - Parameter hasAllEntries: metadata entries outside of it are never seen by its reader.
  package init(_ file: InputFile, _ range: Range<Int64>, hasAllEntries: Bool = false) {
    self.file = file
    self.range = range
    self.hasAllEntries = hasAllEntries
  }

  package var byteCount: Int64? { range.upperBound - range.lowerBound }
  /// The refusal of the whole file: metadata entries of a chained Ogg are counted over all its links.
  package var refusal: String? { hasAllEntries ? InputFile.refusal(of: self) : file.refusal }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    let (place, overflow) = range.lowerBound.addingReportingOverflow(position)
    guard !overflow, place >= range.lowerBound, place < range.upperBound else { return 0 }
    let count = Int(min(Int64(buffer.count), range.upperBound - place))
    return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: place)
  }
}
