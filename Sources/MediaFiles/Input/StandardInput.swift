import CSystem
import Glibc

/// Standard input as a probe input.
///
/// A regular file is used as is. Data from a pipe is stored in an unnamed file until the probe is
/// done: this way an MP4 with its moov at the end can be probed too, and memory use stays constant.
package enum StandardInput {
  /// - Parameter timeout: how long all data may take to arrive; `nil` for no limit.
  /// - Throws: ``MediaError``: no data arrived for as long as the limits allow, more arrived than
  ///   they allow, reading failed, or `isCancelled` returned true.
  package static func open(
    limits: Limits, timeout: Duration?, isCancelled: () -> Bool
  ) throws(MediaError) -> InputFile {
    if let handed = HandedFiles.standardInput() {
      return try InputFile(
        descriptor: handed.descriptor, isOwned: false, isSeekable: handed.isSeekable,
        byteCount: handed.byteCount)
    }
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else {
      throw MediaError(.inputMissing, "standard input is closed")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return try InputFile(descriptor: STDIN_FILENO, isOwned: false, isSeekable: true)
    case S_IFIFO, S_IFSOCK: break
    case S_IFCHR where isatty(STDIN_FILENO) != 0:
      throw MediaError(
        .notRegularFile, "standard input is a terminal", hint: "Send a file into it: … < FILE")
    default:
      throw MediaError(
        .notRegularFile, "standard input is neither a file nor a pipe",
        hint: "Send a file into it: … < FILE")
    }
    let spool = try openSpool()
    do {
      try copy(to: spool, limits: limits, timeout: timeout, isCancelled: isCancelled)
      return try InputFile(descriptor: spool, isOwned: true, isSeekable: false)
    } catch {
      close(spool)
      throw error
    }
  }

  /// An unnamed temporary file, on disk rather than in memory.
  private static func openSpool() throws(MediaError) -> Int32 {
    let stated = getenv("TMPDIR").map { String(cString: $0) }
    for folder in [stated, "/var/tmp"].compactMap({ $0 }) where access(folder, W_OK) == 0 {
      let spool = trim_open_unnamed_file(folder)
      if spool >= 0 { return spool }
    }
    let spool = trim_open_unnamed_file("/tmp")
    guard spool >= 0 else {
      if let shortage = SystemShortage(errno) { throw MediaError(shortage) }
      throw MediaError(
        .readFailed, "there is no place to store standard input: \(systemText(errno))",
        hint: "Set TMPDIR to a folder with free space.")
    }
    return spool
  }

  private static func copy(
    to spool: Int32, limits: Limits, timeout: Duration?, isCancelled: () -> Bool
  ) throws(MediaError) {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var total: Int64 = 0
    let stall = min(limits.stall, timeout ?? limits.stall)
    let start = ContinuousClock.now
    var lastByte = start
    while true {
      if isCancelled() { throw MediaError.cancelled }
      if let timeout, ContinuousClock.now - start > timeout {
        throw MediaError(
          .timedOut, "standard input did not end within \(timeout)",
          hint: "It had sent \(total) bytes. Give it more time.")
      }
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, 100)
      if ready < 0, errno != EINTR {
        throw MediaError(.readFailed, "standard input: \(systemText(errno))")
      }
      guard ready > 0 else {
        if ContinuousClock.now - lastByte > stall {
          throw MediaError(
            .stalled, "standard input sent nothing for \(stall)",
            hint: "It stopped after \(total) bytes.")
        }
        continue
      }
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw MediaError(.readFailed, "standard input: \(systemText(errno))")
      }
      lastByte = ContinuousClock.now
      total += Int64(count)
      guard total <= limits.spooledBytes else {
        throw MediaError(
          .limitExceeded, "standard input sent more than \(limits.spooledBytes) bytes",
          hint: "Give the name of a file instead.")
      }
      try write(buffer[..<count], to: spool)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to spool: Int32) throws(MediaError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(spool, $0) }
      if count < 0 {
        if errno == EINTR { continue }
        throw MediaError(
          .readFailed, "standard input cannot be stored: \(systemText(errno))")
      }
      rest = rest.dropFirst(count)
    }
  }

}

/// The system's `write`, distinguished from the method of that name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
