import CSystem
import Glibc
import Synchronization

/// The files of a sealed (sandboxed) process: descriptors that another process opened for it, each
/// with the name by which the work refers to it.
///
/// Where no files were passed, names have their usual meaning.
package enum HandedFiles {
  /// The files of one task.
  package struct Files: Sendable {
    package var input: (name: [UInt8], descriptor: Int32)
    /// The size of the input when it was opened; `nil` for its present size.
    package var byteCount: Int64?
    /// True where the input is data from standard input, which is then not one of the named files.
    package var isStandardInput = false
    /// False for data from a pipe.
    package var isSeekable = true
    /// Further inputs, where several are joined.
    package var others: [(name: [UInt8], descriptor: Int32, byteCount: Int64?)] = []
    package var output: (name: [UInt8], descriptor: Int32)?
    /// Unnamed files for intermediate data.
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

  /// Does work with these files, and closes them afterwards.
  package static func with<Value, Failure: Error>(
    _ files: Files, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    hold(files)
    defer { release() }
    return try body()
  }

  /// Makes these files available from now on.
  package static func hold(_ files: Files) {
    release()
    present.withLock { $0 = files }
  }

  /// Adds an output, and unnamed files, to a held input.
  package static func addOutput(
    _ output: (name: [UInt8], descriptor: Int32), scratch: [Int32]
  ) {
    present.withLock { files in
      files?.output = output
      files?.scratch += scratch
    }
  }

  /// Closes the output and unused unnamed files.
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

  /// Closes all remaining files.
  package static func release() {
    releaseOutput()
    let left = present.withLock { files -> Files? in
      defer { files = nil }
      return files
    }
    if let left {
      for one in [left.input.descriptor] + left.others.map(\.descriptor) { close(one) }
    }
  }

  package static func input(named name: [UInt8]) -> (descriptor: Int32, byteCount: Int64?)? {
    present.withLock { files in
      guard let files, !files.isStandardInput else { return nil }
      if files.input.name == name { return (files.input.descriptor, files.byteCount) }
      return files.others.first { $0.name == name }.map { ($0.descriptor, $0.byteCount) }
    }
  }

  /// The data from standard input.
  package static func standardInput() -> (
    descriptor: Int32, isSeekable: Bool, byteCount: Int64?
  )? {
    present.withLock { files in
      guard let files, files.isStandardInput else { return nil }
      return (files.input.descriptor, files.isSeekable, files.byteCount)
    }
  }

  package static func output(named name: [UInt8]) -> Int32? {
    present.withLock { files in
      files?.output.flatMap { $0.name == name ? $0.descriptor : nil }
    }
  }

  /// Takes an unnamed file, each only once; the caller must close it.
  package static func takeScratch() -> Int32? {
    present.withLock { $0?.scratch.popLast() }
  }
}
