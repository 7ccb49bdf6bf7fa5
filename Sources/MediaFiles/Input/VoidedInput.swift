package import Libav

/// A Matroska file of which some parts are read as padding, so that they need not be fetched.
package final class VoidedInput: ByteInput {
  private let file: InputFile
  private let voids: [Range<Int64>]

  /// The size of the header of a Void element that states its size in eight bytes (RFC 8794, 11.3.2).
  package static let headerByteCount = 9

  /// - Parameter voids: what is read as a Void element each, where an element may begin: in file order, without
  ///   overlap, and no shorter than its header.
  package init(_ file: InputFile, _ voids: [Range<Int64>]) {
    (self.file, self.voids) = (file, voids)
  }

  package var byteCount: Int64? { file.byteCount }
  package var refusal: String? { file.refusal }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    guard let void = voids.first(where: { $0.upperBound > position }) else {
      return try file.read(into: buffer, at: position)
    }
    guard position >= void.lowerBound else {
      let count = Int(min(Int64(buffer.count), void.lowerBound - position))
      return try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: position)
    }
    let header = Self.header(of: void)
    let count = Int(min(Int64(buffer.count), void.upperBound - position))
    for place in 0..<count {
      let offset = position - void.lowerBound + Int64(place)
      buffer[place] = offset < Int64(header.count) ? header[Int(offset)] : 0
    }
    return count
  }

  private static func header(of void: Range<Int64>) -> [UInt8] {
    let size = UInt64(void.upperBound - void.lowerBound - Int64(headerByteCount)) | 1 << 56
    return [0xEC] + withUnsafeBytes(of: size.bigEndian) { Array($0) }
  }
}
