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
    /// True where the input is what standard input sent: it is then none of the files by name.
    package var isStandardInput = false
    /// False for what came through a pipe.
    package var isSeekable = true
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
    hold(files)
    defer { release() }
    return try body()
  }

  /// From now on there are these files.
  package static func hold(_ files: Files) {
    release()
    present.withLock { $0 = files }
  }

  /// Adds an output, and files without a name, to an input that is held.
  package static func addOutput(
    _ output: (name: [UInt8], descriptor: Int32), scratch: [Int32]
  ) {
    present.withLock { files in
      files?.output = output
      files?.scratch += scratch
    }
  }

  /// Closes the output and what was not taken for what is kept in between.
  package static func releaseOutput() {
    let left = present.withLock { files -> [Int32] in
      defer {
        files?.output = nil
        files?.scratch = []
      }
      return [files?.output?.descriptor].compactMap { $0 } + (files?.scratch ?? [])
    }
    for descriptor in left { close(descriptor) }
  }

  /// Closes all that is left of them.
  package static func release() {
    releaseOutput()
    let left = present.withLock { files -> Files? in
      defer { files = nil }
      return files
    }
    if let left { close(left.input.descriptor) }
  }

  package static func input(named name: [UInt8]) -> Int32? {
    present.withLock { files in
      files.flatMap { !$0.isStandardInput && $0.input.name == name ? $0.input.descriptor : nil }
    }
  }

  /// What standard input sent.
  package static func standardInput() -> (descriptor: Int32, isSeekable: Bool)? {
    present.withLock { files in
      files.flatMap { $0.isStandardInput ? ($0.input.descriptor, $0.isSeekable) : nil }
    }
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
