import CSystem
import Glibc
package import Libav
import Synchronization

/// A file that is written without a name and appears under its name either complete or not at all.
///
/// It has no name until it is published (`O_TMPFILE`), so that nothing is left if the process ends
/// at any point. Where the file system does not support this, it is a hidden file next to its
/// destination, locked, and removed by the next run when its lock is free.
package final class PendingFile: Sendable {
  package let descriptor: Int32
  /// The folder's descriptor; −1 where another process publishes the file.
  private let folder: Int32
  private let name: [UInt8]
  private let replaces: Bool
  private let faults: FaultPort
  /// The hidden name; `nil` for an unnamed file.
  private let hidden: Mutex<[UInt8]?>
  private let bound = Mutex(Bound())

  /// How much may be written.
  private struct Bound {
    var most = Int64.max
    var isPassed = false
  }

  /// A step of publishing at which a test can inject a failure.
  package enum Step: Hashable, Sendable {
    case write, sync, link, rename, syncFolder
  }

  /// Returns the `errno` with which a step is to fail, or `nil`.
  package typealias FaultPort = @Sendable (Step) -> Int32?

  /// - Parameters:
  ///   - path: where it will appear.
  ///   - inputs: files that must not be overwritten, under any name.
  /// - Throws: ``MediaError``; nothing has then been created.
  package init(
    at path: [UInt8], replacing: Bool, sparing inputs: [FileIdentity] = [],
    faults: @escaping FaultPort = { _ in nil }
  ) throws(MediaError) {
    if let handed = HandedFiles.output(named: path) {
      descriptor = handed
      folder = -1
      name = path
      replaces = replacing
      self.faults = faults
      hidden = Mutex(nil)
      return
    }
    let place = try OutputPlace(path, replacing: replacing, sparing: inputs)
    name = place.name
    folder = place.folder
    replaces = replacing
    self.faults = faults
    HiddenFiles.sweep(beside: place.name, in: place.folder)
    let unnamed = trim_create_unnamed_in(place.folder)
    if unnamed >= 0 {
      descriptor = unnamed
      hidden = Mutex(nil)
      return
    }
    let reason = errno
    guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(reason) else {
      close(place.folder)
      throw MediaError(creating: reason)
    }
    do {
      let (opened, hiddenName) = try HiddenFiles.create(beside: place.name, in: place.folder)
      descriptor = opened
      hidden = Mutex(hiddenName)
    } catch {
      close(place.folder)
      throw error
    }
  }

  /// Creates a file that never gets a name: what goes into a pipe is made here first.
  ///
  /// It is in the first folder for temporary files that can be written to, on disk and not in memory.
  ///
  /// - Throws: ``MediaError`` where no folder for temporary files can be written to.
  package init(neverNamed faults: @escaping FaultPort = { _ in nil }) throws(MediaError) {
    var reason: MediaError?
    for place in Self.temporaryFolders {
      let folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else {
        reason = reason ?? MediaError(openingTemporary: errno)
        continue
      }
      do throws(MediaError) {
        descriptor = try Self.neverNamed(in: folder)
      } catch {
        reason = reason ?? error
        close(folder)
        continue
      }
      self.folder = folder
      name = []
      replaces = false
      self.faults = faults
      hidden = Mutex(nil)
      return
    }
    throw reason ?? MediaError(openingTemporary: ENOENT)
  }

  private static func neverNamed(in folder: Int32) throws(MediaError) -> Int32 {
    let unnamed = trim_create_unnamed_in(folder)
    if unnamed >= 0 { return unnamed }
    do throws(MediaError) {
      let (opened, name) = try HiddenFiles.create(beside: Array("pipe".utf8), in: folder)
      _ = unlinkat(folder, HiddenFiles.terminated(name), 0)
      return opened
    } catch {
      throw MediaError(openingTemporary: errno)
    }
  }

  private static var temporaryFolders: [String] {
    [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"].compactMap { $0 }
  }

  deinit {
    guard folder >= 0 else { return }
    hidden.withLock { hidden in
      if let name = hidden { _ = unlinkat(folder, HiddenFiles.terminated(name), 0) }
    }
    close(descriptor)
    close(folder)
  }

  /// Makes sure that the whole file is on disk, then gives it its name.
  ///
  /// - Throws: ``MediaError``: `outputExists` where the name was taken meanwhile, or
  ///   `writeFailed`. The destination is then unchanged.
  package func publish() throws(MediaError) {
    guard folder >= 0 else { return }
    try sync()
    try appear()
  }

  /// The second half of publishing, once the file is on disk.
  package func appear() throws(MediaError) {
    try appear(as: name, replacing: replaces)
  }

  /// Opens more unnamed files, on the same file system if supported.
  package func openScratch(_ count: Int) throws(MediaError) -> [Int32] {
    var scratch: [Int32] = []
    while scratch.count < count {
      var found = trim_create_unnamed_in(folder)
      for place in Self.temporaryFolders where found < 0 {
        found = trim_open_unnamed_file(place)
      }
      guard found >= 0 else {
        let reason = errno
        for descriptor in scratch { close(descriptor) }
        throw MediaError(creating: reason)
      }
      scratch.append(found)
    }
    return scratch
  }

  /// Gives it another name, to keep a failed result for inspection.
  package func keep(as other: [UInt8]) throws(MediaError) {
    guard folder >= 0 else { return }
    try sync()
    try appear(as: other, replacing: true)
  }

  package func sync() throws(MediaError) {
    if let fault = faults(.sync) { throw MediaError(writing: fault) }
    guard fsync(descriptor) == 0 else { throw MediaError(writing: errno) }
  }

  private func appear(as target: [UInt8], replacing: Bool) throws(MediaError) {
    let name = HiddenFiles.terminated(target)
    var from = hidden.withLock { $0 }
    if from == nil, !replacing {
      if let fault = faults(.link) { throw MediaError(linking: fault) }
      guard trim_link_descriptor(descriptor, folder, name) == 0 else {
        throw MediaError(linking: errno)
      }
      return try syncFolder()
    }
    if from == nil {
      let free = HiddenFiles.name(beside: target)
      // No sweep removes it while it has this name.
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      if let fault = faults(.link) { throw MediaError(linking: fault) }
      guard trim_link_descriptor(descriptor, folder, HiddenFiles.terminated(free)) == 0 else {
        throw MediaError(linking: errno)
      }
      hidden.withLock { $0 = free }
      from = free
    }
    guard let from else { return }
    if let fault = faults(.rename) { throw MediaError(linking: fault) }
    let moved = trim_rename_into_place(
      folder, HiddenFiles.terminated(from), name, replacing ? 1 : 0)
    guard moved == 0 else { throw MediaError(linking: errno) }
    hidden.withLock { $0 = nil }
    try syncFolder()
  }

  /// Syncs the folder: only then is the name itself on disk.
  ///
  /// Where folders do not support syncing (`EINVAL`), the file is published anyway.
  private func syncFolder() throws(MediaError) {
    if let fault = faults(.syncFolder) { throw MediaError(writing: fault) }
    guard fsync(folder) == 0 || errno == EINVAL else { throw MediaError(writing: errno) }
  }
}

extension PendingFile: ByteOutput {
  package func write(
    _ bytes: UnsafeRawBufferPointer, at position: Int64
  ) throws(OutputFault) {
    if let fault = faults(.write) { throw OutputFault(fault) }
    let (end, isBeyond) = position.addingReportingOverflow(Int64(bytes.count))
    let isRefused = bound.withLock { bound in
      bound.isPassed = bound.isPassed || isBeyond || end > bound.most
      return bound.isPassed
    }
    if isRefused { throw OutputFault(EFBIG) }
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
        off_t(position) + off_t(done))
      if count < 0 {
        if errno == EINTR { continue }
        throw OutputFault(errno)
      }
      guard count > 0 else { throw OutputFault(EIO) }
      done += count
    }
  }

  /// Empties it for another attempt.
  package func empty() throws(MediaError) {
    guard ftruncate(descriptor, 0) == 0 else { throw MediaError(writing: errno) }
  }

  /// Rejects writes beyond this many bytes, as a file system would (`EFBIG`).
  package func refuse(beyond most: Int64) { bound.withLock { $0.most = most } }

  /// Whether any write was rejected for that reason.
  package var hasPassedBound: Bool { bound.withLock { $0.isPassed } }

  /// Reads back what was written; empty at the end.
  package func bytes(at place: Int64, upTo most: Int) throws(MediaError) -> [UInt8] {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
        count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
        filled = max(0, count)
      }
      if count >= 0 { return bytes }
      guard errno == EINTR else {
        throw MediaError(output: .readFailed, "reading it back failed: \(systemText(errno))")
      }
    }
  }

  /// The size so far in bytes.
  package var byteCount: Int64 {
    var status = stat()
    return trim_file_status(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }
}
