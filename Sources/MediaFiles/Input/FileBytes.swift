package import ISOMedia
import Libav

/// The same file, as the native reader of MP4 wants it: it always knows its size.
package struct FileBytes: RandomAccessBytes {
  package let file: InputFile
  package let byteCount: Int64

  package init(_ file: InputFile) {
    self.file = file
    byteCount = file.byteCount ?? 0
  }

  /// The bytes as they are stored: this reader tells what is wrong with them.
  package func read(at offset: Int64, count: Int) throws -> [UInt8] {
    let read = try file.stored.read(at: offset, count: count)
    file.note(read, at: offset)
    return read
  }

  /// No more than a bounded number of bytes come out, whatever a header claims.
  package func unpacked(_ packed: [UInt8], by algorithm: FourCC, to byteCount: Int) -> [UInt8]? {
    guard algorithm == "zlib", byteCount <= Self.mostUnpacked else { return nil }
    return Inflation.inflated(packed, to: byteCount)
  }

  /// A header of 200,000 samples is this large.
  private static let mostUnpacked = 8 << 20
}

/// The bytes behind a descriptor, which the caller keeps open.
package struct StoredBytes: RandomAccessBytes {
  package let descriptor: Int32
  package let byteCount: Int64

  package func read(at offset: Int64, count: Int) throws -> [UInt8] {
    guard offset >= 0, count > 0, offset < byteCount else { return [] }
    let wanted = Int(min(Int64(count), byteCount - offset))
    return try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      filled = try InputFile.fill(
        UnsafeMutableRawBufferPointer(buffer), at: offset, from: descriptor
      ).get()
    }
  }
}
