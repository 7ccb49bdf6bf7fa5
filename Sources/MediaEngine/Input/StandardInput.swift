import CSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Standard input as something that can be probed.
///
/// A regular file is used as it is. What comes through a pipe is kept in a file without a name
/// until the probe is done: so an MP4 whose header follows its media is answered too, and memory
/// stays flat.
enum StandardInput {
  /// - Throws: ``ProbeError``: nothing came for as long as `stall`, more came than the limits
  ///   allow, reading failed, or `isCancelled` said so.
  static func open(
    limits: Limits, stall: Duration, isCancelled: () -> Bool
  ) throws(ProbeError) -> InputFile {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else {
      throw ProbeError(.inputMissing, "standard input is closed")
    }
    if status.st_mode & S_IFMT == S_IFREG {
      return try InputFile(descriptor: STDIN_FILENO, isOwned: false, isSeekable: true)
    }
    if status.st_mode & S_IFMT == S_IFCHR, isatty(STDIN_FILENO) != 0 {
      throw ProbeError(
        .notRegularFile, "standard input is a terminal", hint: "Send a file into it: … < FILE")
    }
    let spool = trim_open_unnamed_file("/tmp")
    guard spool >= 0 else {
      throw ProbeError(
        .readFailed, "there is no place to keep what standard input sends: \(systemText(errno))")
    }
    do {
      try copy(to: spool, limits: limits, stall: stall, isCancelled: isCancelled)
    } catch {
      close(spool)
      throw error
    }
    return try InputFile(descriptor: spool, isOwned: true, isSeekable: false)
  }

  private static func copy(
    to spool: Int32, limits: Limits, stall: Duration, isCancelled: () -> Bool
  ) throws(ProbeError) {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var total: Int64 = 0
    var lastByte = ContinuousClock.now
    while true {
      if isCancelled() { throw ProbeError(.cancelled, "it was cancelled") }
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, 100)
      if ready < 0, errno != EINTR {
        throw ProbeError(.readFailed, "standard input: \(systemText(errno))")
      }
      guard ready > 0 else {
        if ContinuousClock.now - lastByte > stall {
          throw ProbeError(
            .stalled, "standard input sent nothing for \(stall)",
            hint: "It stopped after \(total) bytes.")
        }
        continue
      }
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw ProbeError(.readFailed, "standard input: \(systemText(errno))")
      }
      lastByte = ContinuousClock.now
      total += Int64(count)
      guard total <= limits.spooledBytes else {
        throw ProbeError(
          .limitExceeded, "standard input sent more than \(limits.spooledBytes) bytes",
          hint: "Give the name of a file instead.")
      }
      try write(buffer[..<count], to: spool)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to spool: Int32) throws(ProbeError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(spool, $0) }
      if count < 0 {
        if errno == EINTR { continue }
        throw ProbeError(
          .readFailed, "what standard input sends cannot be kept: \(systemText(errno))")
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// The system's `write`, apart from the method of that name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
