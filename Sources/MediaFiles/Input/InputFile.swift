import CSystem
import Glibc
import ISOMedia
package import Libav
import Synchronization

/// An input opened once as a file descriptor and never again by name: a regular file, or data from
/// standard input; or a file on another machine, of which ranges are asked for.
///
/// The descriptor is closed with its last owner. Reading is positional, so one file serves several
/// readers.
package final class InputFile: Sendable {
  /// Of a regular file, or in a sealed process of the line to a remote one; negative where this process
  /// itself reads a remote file.
  private let descriptor: Int32
  /// The file on another machine; `nil` for others, and in a sealed process.
  let remote: RemoteFile?
  /// How a file on another machine is read; `nil` for a descriptor of a regular file.
  private let ranged: (any RangedBytes)?
  private let ownsDescriptor: Bool
  /// The path it was opened by; `nil` where it came as a descriptor.
  private let path: [UInt8]?
  private let size: Int64
  /// What was opened, to notice when it is replaced.
  package let identity: Identity
  /// When its content or its metadata last changed (`st_ctime`).
  private let changed: ChangeTime
  /// The header, once a reader said that it is one.
  private let kept = KeptBytes()
  /// The log of what was read.
  private let log: Mutex<ReadLog?>
  /// `nil` until FFmpeg is about to read it.
  private let knownRefusal = Mutex<String??>(nil)
  /// ``head``, which many readers of formats ask for.
  private let knownHead = Mutex<[UInt8]?>(nil)
  /// False for a pipe.
  package let isSeekable: Bool
  /// Replacements for malformed headers at the start of a file, at which FFmpeg would stop.
  ///
  /// `nil` until the first read through ``ByteInput``.
  private let knownMends = Mutex<[OverlaidInput.Patch]?>(nil)

  /// The identity of a file, independent of its names.
  package struct Identity: Sendable, Hashable {
    package var device: UInt64
    package var inode: UInt64
    package var byteCount: Int64
    package var modifiedSeconds: Int64
    package var modifiedNanoseconds: Int64
  }

  package struct ChangeTime: Sendable, Equatable {
    package var seconds: Int64
    package var nanoseconds: Int64
  }

  /// What is appended to it later is not read.
  ///
  /// - Parameter remembers: whether ``isUnchanged()`` can distinguish a touched file from one with
  ///   other bytes, which requires hashing everything that is read.
  /// - Throws: ``MediaError``: missing, no permission, or anything but a regular file.
  package init(path: [UInt8], remembers: Bool = true) throws(MediaError) {
    guard !path.contains(0) else {
      throw MediaError(.inputMissing, "the name contains a NUL byte, which no file name can")
    }
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let handed = HandedFiles.input(named: path)
    if handed == nil, let remote = try ServedFiles.file(named: path) {
      (identity, changed) = (Self.identity(of: remote), ChangeTime(seconds: 0, nanoseconds: 0))
      size = remote.byteCount
      descriptor = -1
      self.path = nil
      ownsDescriptor = false
      isSeekable = true
      log = Mutex(nil)
      (self.remote, ranged) = (remote, remote)
      return
    }
    // O_NONBLOCK: a FIFO without a writer must not block us; regular files are not affected.
    let descriptor = handed?.descriptor ?? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.refusal(errno, path: path) }
    let isLine = handed?.byteCount != nil && Self.isLine(descriptor)
    do {
      (identity, changed) = try Self.examine(descriptor, isLine ? handed?.byteCount : nil)
    } catch {
      if handed == nil { close(descriptor) }
      throw error
    }
    size = Self.size(handed?.byteCount, identity)
    remote = nil
    ranged = isLine ? RangeLine(descriptor: descriptor) : nil
    self.descriptor = descriptor
    self.path = handed == nil ? path : nil
    ownsDescriptor = handed == nil
    isSeekable = true
    log = Mutex(remembers && !isLine ? ReadLog() : nil)
  }

  /// A file on another machine is what its name says, as long as a run lasts.
  private static func identity(of file: RemoteFile) -> Identity {
    Identity(
      device: .max, inode: UInt64(file.number), byteCount: file.byteCount, modifiedSeconds: 0,
      modifiedNanoseconds: 0)
  }

  /// Whether a descriptor is a line to the process that has the file.
  private static func isLine(_ descriptor: Int32) -> Bool {
    var status = stat()
    return trim_file_status(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Takes over a descriptor of a regular file.
  ///
  /// - Parameter byteCount: its size when another process opened it; `nil` for its present size.
  package init(
    descriptor: Int32, isOwned: Bool, isSeekable: Bool, byteCount: Int64? = nil
  ) throws(MediaError) {
    (identity, changed) = try Self.examine(descriptor)
    size = Self.size(byteCount, identity)
    (remote, ranged) = (nil, nil)
    self.descriptor = descriptor
    path = nil
    ownsDescriptor = isOwned
    self.isSeekable = isSeekable
    log = Mutex(ReadLog())
  }

  private var mends: [OverlaidInput.Patch] {
    knownMends.withLock { known in
      if let known { return known }
      let found = ISOMovie.gaps(in: stored).map {
        OverlaidInput.Patch(place: $0.offset, bytes: $0.filling)
      }
      known = found
      return found
    }
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  /// The size to read: a file that has grown since is as long as it was.
  private static func size(_ opened: Int64?, _ present: Identity) -> Int64 {
    min(opened ?? .max, present.byteCount)
  }

  /// - Parameter lineBytes: the size of a file behind a line; `nil` where only a regular file will do.
  private static func examine(
    _ descriptor: Int32, _ lineBytes: Int64? = nil
  ) throws(MediaError) -> (Identity, ChangeTime) {
    var status = stat()
    guard trim_file_status(descriptor, &status) == 0 else { throw refusal(errno, path: []) }
    if let lineBytes { status.st_size = off_t(lineBytes) }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG || lineBytes != nil else {
      throw MediaError(
        .notRegularFile, "it is \(kindName(type)), not a regular file",
        hint: "Give the name of a media file, or - for standard input.")
    }
    if status.st_size == 0, isOfTheKernel(descriptor) {
      throw MediaError(
        .notRegularFile, "it is a system pseudo-file, not a regular file",
        hint: "Give the name of a media file, or - for standard input.")
    }
    let (modified, changed) = (status.st_mtim, status.st_ctim)
    let identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
      byteCount: Int64(status.st_size), modifiedSeconds: Int64(modified.tv_sec),
      modifiedNanoseconds: Int64(modified.tv_nsec))
    let change = ChangeTime(
      seconds: Int64(changed.tv_sec), nanoseconds: Int64(changed.tv_nsec))
    return (identity, change)
  }

  /// The bytes as they are stored.
  package var stored: StoredBytes {
    StoredBytes(descriptor: descriptor, byteCount: size, ranged: ranged, kept: kept)
  }

  /// What distinguishes it from every other file.
  package var fileIdentity: FileIdentity {
    FileIdentity(device: identity.device, inode: identity.inode)
  }

  /// The descriptor to pass to another process.
  package var descriptorToHandOver: Int32 { descriptor }

  /// Whether the file still contains what was read.
  ///
  /// File times can be set back, and they change without the content (a new link, another owner):
  /// they only show when to compare. What was appended, as to a recording, changes nothing that
  /// was read.
  package func isUnchanged() -> Bool {
    // Each request is for the version that the first one got (RFC 9110, 13.1.5).
    if ranged != nil { return remote?.fault == nil }
    guard let (now, change) = try? Self.examine(descriptor), now.byteCount >= identity.byteCount
    else { return false }
    if now == identity, change == changed { return true }
    guard let log = log.withLock({ $0 }) else { return false }
    return log.holds { buffer, position in
      var done = 0
      while done < buffer.count, let base = buffer.baseAddress {
        let count = pread(
          descriptor, base + done, buffer.count - done, off_t(position) + off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// Records what was read bypassing ``ByteInput``.
  func note(_ read: [UInt8], at position: Int64) {
    read.withUnsafeBytes { read in log.withLock { $0?.add(read, at: position) } }
  }

  /// Whether the name it was opened by now belongs to another file; a file that was only deleted
  /// does not count as replaced.
  package var isReplaced: Bool {
    guard let path, let present = FileIdentity(path: path) else { return false }
    return present != fileIdentity
  }

  /// True for regular files without a size in `/proc`, `/sys` and the like: reading them may never
  /// end.
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

  private static func refusal(_ code: Int32, path: [UInt8]) -> MediaError {
    switch code {
    case ENOENT, ENOTDIR:
      if isAddress(path) {
        return MediaError(
          .onlyLocalPaths, "this is an address, and only local paths are opened",
          hint: "Download it first, then give the file's name.")
      }
      return MediaError(.inputMissing, "there is no such file")
    case EACCES, EPERM:
      return MediaError(.permissionDenied, "its permissions do not allow reading it")
    case ENXIO, ENODEV:
      return MediaError(.notRegularFile, "it is a socket or a device, not a regular file")
    case ENAMETOOLONG:
      return MediaError(.inputMissing, "the name is longer than the system allows")
    case ELOOP:
      return MediaError(.inputMissing, "the name is a symbolic link that leads to itself")
    default:
      if let shortage = SystemShortage(code) { return MediaError(shortage) }
      return MediaError(.readFailed, "it cannot be opened: \(systemText(code))")
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

  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) -> Result<Int, InputFault> {
    // What was appended since it was opened does not belong to it.
    let left = Int(clamping: max(0, size - max(0, position)))
    let inside = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, left)])
    let result = stored.fill(inside, at: position)
    if case .success(let count) = result {
      // The file's own bytes, before headers are replaced.
      let read = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
      log.withLock { $0?.add(read, at: position) }
      for mend in mends { mend.write(into: buffer, holding: count, from: position) }
    }
    return result
  }

  static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, at position: Int64, from descriptor: Int32
  ) -> Result<Int, InputFault> {
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
  package var byteCount: Int64? { size }

  package var refusal: String? {
    knownRefusal.withLock { known in
      if let known { return known }
      let found = Self.refusal(of: self)
      known = .some(found)
      return found
    }
  }

  /// Why FFmpeg is not given an input; `nil` where it is.
  static func refusal(of input: any ByteInput) -> String? {
    let limit = Limits.standard.entries
    return MetadataCensus.exceeds(limit, in: input) ? MediaError.tooManyEntries(limit) : nil
  }

  /// The first 4 KiB as they are stored, or all bytes of a smaller file; empty if reading fails.
  package var head: [UInt8] {
    knownHead.withLock { known in
      if let known { return known }
      guard let head = try? stored.read(at: 0, count: 4096) else { return [] }
      note(head, at: 0)
      known = head
      return head
    }
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    try fill(buffer, at: position).get()
  }
}

extension InputFile {
  /// A file of at most this size is read as one that is here; of a larger one on another machine, only what the
  /// work needs.
  private static let mostToRead: Int64 = 8 << 20

  /// Whether it is on another machine.
  package var isRemote: Bool { ranged != nil }

  /// Whether bytes cost a request, so that what is merely useful to know is not read.
  package var isReadSparingly: Bool { ranged != nil && size > Self.mostToRead }

  /// Whether a range may be read for what is merely useful to know.
  package func isAtHand(_ range: Range<Int64>) -> Bool {
    !isReadSparingly || ranged?.isAtHand(range) != false
  }

  /// Says that a range will be read in order.
  package func expect(_ range: Range<Int64>) { ranged?.expect(range) }

  /// Says that a range is the header, which is then read once however many readers need it.
  func keep(_ range: Range<Int64>) { kept.keep(range, of: stored) }

  /// Says that a range will be read at any rate.
  package func announce(_ range: Range<Int64>) { ranged?.announce(range) }

  /// Says that all of it will be read.
  package func announceAll() { if size > 0 { announce(0..<size) } }

  /// Why a file on another machine could not be read: the cause of whatever failed, and what was made of it is
  /// worthless.
  package var remoteFault: MediaError? { remote?.fault }

  /// Asks whether all that was read of it is of one version; where it is not, that is its ``remoteFault``.
  package func confirm() { remote?.confirm() }

  /// - Throws: ``remoteFault``.
  package func checkFetched() throws(MediaError) {
    if let fault = remoteFault { throw fault }
  }

  /// Whether it is a fragmented movie of which only parts are read.
  package var hasIndexedFragments: Bool {
    isReadSparingly && ISOMovie.looksLikeISO(firstBytes: head)
      && ISOMovie.hasIndexedFragments(in: FileBytes(self))
  }

  /// The size of the headers of an MP4 or QuickTime file; 0 for other files.
  package var headerByteCount: Int64 {
    ISOMovie.looksLikeISO(firstBytes: head) ? ISOMovie.headerByteCount(of: FileBytes(self)) : 0
  }
}
