package import ISOMedia

/// The same file, as the native reader of MP4 wants it: it always knows its size.
package struct FileBytes: RandomAccessBytes {
  package let file: InputFile
  package let byteCount: Int64
  package let storedByteCount: Int64
  /// It stands behind the file, and the compressed one is free space.
  private let header: UnpackedHeader?

  package init(_ file: InputFile) { self.init(file, nil) }

  private init(_ file: InputFile, _ header: UnpackedHeader?) {
    self.file = file
    self.header = header
    storedByteCount = file.byteCount ?? 0
    byteCount = storedByteCount + Int64(header?.bytes.count ?? 0)
  }

  /// The headers of a file, and the bytes that they are of: those have a compressed header unpacked.
  ///
  /// - Throws: ``ISOError``, as ``ISOMovie`` does.
  package static func movie(
    of file: InputFile, limits: ISOLimits = ISOLimits()
  ) throws(ISOError) -> (movie: ISOMovie, bytes: FileBytes) {
    let bytes = FileBytes(file)
    let movie = try ISOMovie(reading: bytes, limits: limits)
    guard let header = UnpackedHeader(of: movie, in: bytes) else { return (movie, bytes) }
    let whole = FileBytes(file, header)
    // Where the file ends inside its media the header would lie in them.
    let unpacked = try? ISOMovie(reading: whole, limits: limits)
    return unpacked.map { ($0, whole) } ?? (movie, bytes)
  }

  /// The bytes as they are stored: this reader tells what is wrong with them.
  package func read(at offset: Int64, count: Int) throws -> [UInt8] {
    var read = try file.stored.read(at: offset, count: count)
    file.note(read, at: offset)
    guard let header, count > 0, offset >= 0 else { return read }
    header.free(in: &read, at: offset)
    guard offset + Int64(read.count) >= storedByteCount else { return read }
    let start = max(0, offset - storedByteCount)
    return read + header.bytes.dropFirst(Int(clamping: start)).prefix(count - read.count)
  }
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
