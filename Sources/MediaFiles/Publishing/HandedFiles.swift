import CSystem
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a sealed process has instead of a file system: the descriptors that another one opened for
/// it, each under the name that the work knows it by.
///
/// Where nothing was handed over, names mean what they usually do.
package enum HandedFiles {
  /// The files of one piece of work.
  package struct Files: Sendable {
    package var input: (name: [UInt8], descriptor: Int32)
    package var output: (name: [UInt8], descriptor: Int32)?
    /// Files without a name for what is kept in between.
    package var scratch: [Int32]

    package init(
      input: (name: [UInt8], descriptor: Int32),
      output: (name: [UInt8], descriptor: Int32)? = nil, scratch: [Int32] = []
    ) {
      self.input = input
      self.output = output
      self.scratch = scratch
    }
  }

  private static let present = Mutex<Files?>(nil)

  /// Does work with these files, and closes them after it.
  package static func with<Value, Failure: Error>(
    _ files: Files, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    present.withLock { $0 = files }
    defer {
      let left = present.withLock { present -> Files? in
        defer { present = nil }
        return present
      }
      let named = [files.input.descriptor, files.output?.descriptor].compactMap { $0 }
      for descriptor in named + (left?.scratch ?? []) { close(descriptor) }
    }
    return try body()
  }

  package static func input(named name: [UInt8]) -> Int32? {
    present.withLock { $0.flatMap { $0.input.name == name ? $0.input.descriptor : nil } }
  }

  package static func output(named name: [UInt8]) -> Int32? {
    present.withLock { files in
      files?.output.flatMap { $0.name == name ? $0.descriptor : nil }
    }
  }

  /// Each once; it is the taker's to close.
  package static func takeScratch() -> Int32? {
    present.withLock { $0?.scratch.popLast() }
  }
}
