import ISOMedia
import Libav

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An input opened by our own descriptor and never again by name: a regular file, or what standard
/// input sent.
///
/// The descriptor is closed with its last owner. Reading is positional, so one file serves several
/// readers.
final class InputFile: Sendable {
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let size: Int64
  /// What was opened, to notice when it is replaced.
  let identity: Identity
  /// False for a pipe.
  let isSeekable: Bool

  /// A file apart from its names.
  struct Identity: Sendable, Hashable {
    var device: UInt64
    var inode: UInt64
    var byteCount: Int64
    var modifiedSeconds: Int64
    var modifiedNanoseconds: Int64
  }

  /// - Throws: ``ProbeError``: missing, no permission, or anything but a regular file.
  init(path: [UInt8]) throws(ProbeError) {
    guard !path.contains(0) else {
      throw ProbeError(.inputMissing, "the name holds a NUL byte, which no file name can")
    }
    let name = path.map { CChar(bitPattern: $0) } + [0]
    // O_NONBLOCK: a FIFO without a writer must not hold us; regular files do not care.
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.refusal(errno, path: path) }
    do {
      (identity, size) = try Self.examine(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    ownsDescriptor = true
    isSeekable = true
  }

  /// Takes over a descriptor of a regular file.
  init(descriptor: Int32, isOwned: Bool, isSeekable: Bool) throws(ProbeError) {
    (identity, size) = try Self.examine(descriptor)
    self.descriptor = descriptor
    ownsDescriptor = isOwned
    self.isSeekable = isSeekable
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  private static func examine(_ descriptor: Int32) throws(ProbeError) -> (Identity, Int64) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal(errno, path: []) }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG else {
      throw ProbeError(
        .notRegularFile, "it is \(kindName(type)), not a regular file",
        hint: "Give the name of a media file, or - for standard input.")
    }
    if status.st_size == 0, isOfTheKernel(descriptor) {
      throw ProbeError(
        .notRegularFile, "it is a view into the system, not a regular file",
        hint: "Give the name of a media file, or - for standard input.")
    }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    let identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
      byteCount: Int64(status.st_size), modifiedSeconds: Int64(modified.tv_sec),
      modifiedNanoseconds: Int64(modified.tv_nsec))
    return (identity, Int64(status.st_size))
  }

  /// What tells it from every other file.
  var fileIdentity: FileIdentity {
    FileIdentity(device: identity.device, inode: identity.inode)
  }

  /// - Throws: ``CutError`` of code `inputChanged` where it is no longer what was opened.
  func checkUnchanged() throws(CutError) {
    guard let (now, _) = try? Self.examine(descriptor), now == identity else {
      throw CutError(
        .inputChanged, "the input changed while it was read",
        hint: "Try again when nothing writes to it.")
    }
  }

  /// True for what `/proc`, `/sys` and their like show as a regular file without a size: reading
  /// it does not find an end.
  private static func isOfTheKernel(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return pread(descriptor, &byte, 1, 0) != 0
  }

  private static func kindName(_ type: mode_t) -> String {
    switch type {
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something else"
    }
  }

  private static func refusal(_ code: Int32, path: [UInt8]) -> ProbeError {
    switch code {
    case ENOENT, ENOTDIR:
      if isAddress(path) {
        return ProbeError(
          .onlyLocalPaths, "this is an address, and only local paths are opened",
          hint: "Download it first, then give the file's name.")
      }
      return ProbeError(.inputMissing, "there is no such file")
    case EACCES, EPERM:
      return ProbeError(.permissionDenied, "its permissions do not allow reading it")
    case ENXIO, ENODEV:
      return ProbeError(.notRegularFile, "it is a socket or a device, not a regular file")
    case ENAMETOOLONG:
      return ProbeError(.inputMissing, "the name is longer than the system allows")
    case ELOOP:
      return ProbeError(.inputMissing, "the name is a symbolic link that leads to itself")
    default:
      return ProbeError(.readFailed, "it cannot be opened: \(String(cString: strerror(code)))")
    }
  }

  /// True for `scheme://…`: letters, digits, `+`, `-` and `.` before it (RFC 3986, 3.1).
  private static func isAddress(_ path: [UInt8]) -> Bool {
    guard let colon = path.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      path.count > colon + 2, path[colon + 1] == UInt8(ascii: "/"),
      path[colon + 2] == UInt8(ascii: "/")
    else { return false }
    return path[..<colon].allSatisfy { byte in
      let isLetter = (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
      let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      return isLetter || isDigit
        || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, at position: Int64) -> Result<
    Int, InputFault
  > {
    guard let base = buffer.baseAddress, position >= 0 else { return .success(0) }
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor, base + done, buffer.count - done, off_t(position) + off_t(done))
      if count < 0 {
        if errno == EINTR { continue }
        return .failure(InputFault(.failed(errno), at: position + Int64(done)))
      }
      if count == 0 { break }
      done += count
    }
    return .success(done)
  }
}

extension InputFile: ByteInput {
  var byteCount: Int64? { size }

  /// The first bytes, as many as there are up to 4 KiB; none where reading fails.
  var head: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
      filled = (try? fill(UnsafeMutableRawBufferPointer(buffer), at: 0).get()) ?? 0
    }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    try fill(buffer, at: position).get()
  }
}

/// The same file, as the native reader of MP4 wants it: it always knows its size.
struct FileBytes: RandomAccessBytes {
  let file: InputFile
  let byteCount: Int64

  init(_ file: InputFile) {
    self.file = file
    byteCount = file.byteCount ?? 0
  }

  func read(at offset: Int64, count: Int) throws -> [UInt8] {
    guard offset >= 0, count > 0, offset < byteCount else { return [] }
    let wanted = Int(min(Int64(count), byteCount - offset))
    return try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      filled = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }
}
