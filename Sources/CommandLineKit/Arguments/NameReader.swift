import Glibc

/// Reads names from a list, one at a time: any bytes, ended by a newline or NUL.
package struct NameReader {
  package enum Failure: Error, Equatable {
    case cannotOpen(errno: Int32)
    case cannotRead(errno: Int32)
    /// A name longer than any file system allows.
    case nameTooLong
  }

  /// Fills the buffer with the next bytes; returns an empty array at the end.
  private let read: () throws(Failure) -> [UInt8]
  private let separator: UInt8
  private var pending: ArraySlice<UInt8> = []
  private var isAtEnd = false

  package static let longestName = 1 << 16

  package init(separator: UInt8, read: @escaping () throws(Failure) -> [UInt8]) {
    self.separator = separator
    self.read = read
  }

  /// The next name; empty ones are skipped.
  package mutating func next() throws(Failure) -> [UInt8]? {
    while true {
      if let end = pending.firstIndex(of: separator) {
        let name = pending[..<end]
        pending = pending[(end + 1)...]
        if !name.isEmpty { return Array(name) }
        continue
      }
      guard !isAtEnd else {
        defer { pending = [] }
        return pending.isEmpty ? nil : Array(pending)
      }
      guard pending.count <= Self.longestName else { throw .nameTooLong }
      let more = try read()
      isAtEnd = more.isEmpty
      pending = (Array(pending) + more)[...]
    }
  }
}

extension NameReader {
  /// A list in a file, or on standard input for `-`.
  package static func opening(_ path: ArgumentText, separator: UInt8) throws(Failure) -> NameReader
  {
    var descriptor: Int32 = 0
    if !path.isStandardStream {
      descriptor = (path.bytes + [0]).withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { name in
          name.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) } ?? -1
        }
      }
      guard descriptor >= 0 else { throw .cannotOpen(errno: errno) }
    }
    return NameReader(separator: separator) { () throws(Failure) in
      try readSome(from: descriptor)
    }
  }

  private static func readSome(from descriptor: Int32) throws(Failure) -> [UInt8] {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
        count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count >= 0 { return bytes }
      let error = errno
      if error != EINTR { throw .cannotRead(errno: error) }
    }
  }
}
