/// A range of bytes of the file, which shares their storage and knows their offset.
///
/// Reading outside it gives zero, so no offset from a file can trap. Where the difference matters,
/// ``FieldReader`` reports it.
struct ByteView: Sendable {
  private let storage: [UInt8]
  private let start: Int
  private let end: Int
  private let storageOffset: Int64

  init(_ bytes: [UInt8], fileOffset: Int64) {
    storage = bytes
    start = 0
    end = bytes.count
    storageOffset = fileOffset
  }

  private init(of view: ByteView, start: Int, end: Int) {
    storage = view.storage
    storageOffset = view.storageOffset
    self.start = start
    self.end = end
  }

  var count: Int { end - start }

  /// The offset of the first byte in the file.
  var fileOffset: Int64 { storageOffset + Int64(start) }

  /// The part from an offset on, clamped to the available bytes.
  func slice(from offset: Int, count length: Int = .max) -> ByteView {
    let from = min(max(offset, 0), count)
    let length = min(max(length, 0), count - from)
    return ByteView(of: self, start: start + from, end: start + from + length)
  }

  var bytes: [UInt8] { Array(storage[start..<end]) }

  func u8(_ offset: Int) -> UInt8 {
    guard offset >= 0, offset < count else { return 0 }
    return storage[start + offset]
  }

  func u16(_ offset: Int) -> UInt16 {
    guard offset >= 0, offset <= count - 2 else { return 0 }
    return UInt16(
      bigEndian: storage.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: start + offset, as: UInt16.self))
  }

  func u32(_ offset: Int) -> UInt32 {
    guard offset >= 0, offset <= count - 4 else { return 0 }
    return UInt32(
      bigEndian: storage.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: start + offset, as: UInt32.self))
  }

  func u64(_ offset: Int) -> UInt64 {
    guard offset >= 0, offset <= count - 8 else { return 0 }
    return UInt64(
      bigEndian: storage.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: start + offset, as: UInt64.self))
  }

  func i32(_ offset: Int) -> Int32 { Int32(bitPattern: u32(offset)) }

  func fourCC(_ offset: Int) -> FourCC { FourCC(rawValue: u32(offset)) }
}
