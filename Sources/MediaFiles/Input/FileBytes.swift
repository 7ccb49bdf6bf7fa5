package import ISOMedia
import Libav

/// The same file for the native MP4 reader, with a size that is always known.
package struct FileBytes: RandomAccessBytes {
  package let file: InputFile
  package let byteCount: Int64

  package init(_ file: InputFile) {
    self.file = file
    byteCount = file.byteCount ?? 0
  }

  /// The bytes as stored: this reader reports what is wrong with them.
  package func read(at offset: Int64, count: Int) throws -> [UInt8] {
    let read = try file.stored.read(at: offset, count: count)
    file.note(read, at: offset)
    return read
  }

  package func expect(_ range: Range<Int64>) { file.expect(range) }

  package func keep(_ range: Range<Int64>) { file.keep(range) }

  package func isAtHand(_ range: Range<Int64>) -> Bool { file.isAtHand(range) }

  /// Decompresses a header to a limited size, whatever the header claims.
  package func unpacked(_ packed: [UInt8], by algorithm: FourCC, to byteCount: Int) -> [UInt8]? {
    guard algorithm == "zlib", byteCount <= Self.mostUnpacked else { return nil }
    return Inflation.inflated(packed, to: byteCount)
  }

  /// A header of 200,000 samples is this large.
  private static let mostUnpacked = 8 << 20
}

/// The bytes behind a descriptor, which the caller keeps open, or of a file on another machine.
package struct StoredBytes: RandomAccessBytes {
  package let descriptor: Int32
  package let byteCount: Int64
  var ranged: (any RangedBytes)?
  var kept: KeptBytes?

  func fill(
    _ buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) -> Result<Int, InputFault> {
    if kept?.fill(buffer, at: position) == true { return .success(buffer.count) }
    return ranged?.read(into: buffer, at: position)
      ?? InputFile.fill(buffer, at: position, from: descriptor)
  }

  package func read(at offset: Int64, count: Int) throws -> [UInt8] {
    guard offset >= 0, count > 0, offset < byteCount else { return [] }
    let wanted = Int(min(Int64(count), byteCount - offset))
    return try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      filled = try fill(UnsafeMutableRawBufferPointer(buffer), at: offset).get()
    }
  }
}
