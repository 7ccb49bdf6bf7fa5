package import Libav

/// A file of which some bytes read as others than are stored.
package final class OverlaidInput: ByteInput {
  private let file: InputFile
  private let place: Int64
  private let bytes: [UInt8]

  package init(_ file: InputFile, _ bytes: [UInt8], at place: Int64) {
    self.file = file
    self.bytes = bytes
    self.place = place
  }

  package var byteCount: Int64? { file.byteCount }
  package var refusal: String? { file.refusal }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    let count = try file.read(into: buffer, at: position)
    let start = max(position, place)
    let end = min(position + Int64(count), place + Int64(bytes.count))
    if start < end {
      for index in start..<end { buffer[Int(index - position)] = bytes[Int(index - place)] }
    }
    return count
  }
}
