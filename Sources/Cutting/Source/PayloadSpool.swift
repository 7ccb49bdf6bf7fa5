import CSystem
import Glibc
import Libav
import MediaFiles

/// Keeps packet bytes in an unnamed file, so that memory use stays flat; the first ones are kept in
/// memory only.
final class PayloadSpool {
  /// Where some bytes are.
  struct Slot: Hashable {
    var offset: Int64
    var count: Int
  }

  /// The file, once it is needed.
  private var descriptor: Int32?
  private var end: Int64 = 0
  private var pending: [UInt8] = []
  private let most: Int64?

  private static let bufferSize = 1 << 20

  /// - Parameter most: maximum number of bytes; more are refused, since the output would be too
  ///   large.
  init(most: Int64? = nil) { self.most = most }

  /// - Throws: ``MediaError`` where no folder allows a temporary file.
  private func opened() throws(MediaError) -> Int32 {
    if let descriptor { return descriptor }
    if let scratch = HandedFiles.takeScratch() {
      descriptor = scratch
      return scratch
    }
    let stated = getenv("TMPDIR").map { String(cString: $0) }
    for folder in [stated, "/var/tmp", "/tmp"].compactMap({ $0 })
    where access(folder, W_OK) == 0 {
      let spool = trim_open_unnamed_file(folder)
      if spool >= 0 {
        descriptor = spool
        return spool
      }
    }
    if let shortage = SystemShortage(errno) {
      throw MediaError(
        .outOfMemory, "temporary data cannot be stored: \(shortage.message)", hint: shortage.hint)
    }
    throw MediaError(
      .writeFailed, "temporary data cannot be stored: \(systemText(errno))",
      hint: "Set TMPDIR to a folder with free space.")
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  func add(_ bytes: [UInt8]) throws(MediaError) -> Slot {
    let slot = Slot(offset: end + Int64(pending.count), count: bytes.count)
    if let most, slot.offset > most - Int64(bytes.count) { throw .tooLarge(most) }
    pending.append(contentsOf: bytes)
    if pending.count >= Self.bufferSize { try flush() }
    return slot
  }

  private func flush() throws(MediaError) {
    let descriptor = try opened()
    var done = 0
    while done < pending.count {
      let (start, position) = (done, end)
      let count = pending.withUnsafeBytes { bytes in
        pwrite(
          descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start,
          off_t(position) + off_t(start))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw MediaError(
          .writeFailed, "temporary data cannot be written: \(systemText(errno))",
          hint: "Set TMPDIR to a folder with free space.")
      }
      done += count
    }
    end += Int64(pending.count)
    pending.removeAll(keepingCapacity: true)
  }

  func bytes(at slot: Slot) throws(MediaError) -> [UInt8] {
    if slot.offset >= end {
      let start = Int(slot.offset - end)
      return Array(pending[start..<start + slot.count])
    }
    if slot.offset + Int64(slot.count) > end { try flush() }
    let descriptor = try opened()
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: slot.count) { buffer, filled in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      while filled < slot.count {
        let count = pread(
          descriptor, raw.baseAddress.map { $0 + filled }, slot.count - filled,
          off_t(slot.offset) + off_t(filled))
        if count < 0, errno == EINTR { continue }
        if count <= 0 {
          failure = count < 0 ? errno : EIO
          return
        }
        filled += count
      }
    }
    guard failure == 0 else {
      throw MediaError(.writeFailed, "temporary data cannot be read: \(systemText(failure))")
    }
    return bytes
  }
}
