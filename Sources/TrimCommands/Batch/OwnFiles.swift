import CSystem
import CommandLineKit
import Glibc
import MediaEngine

/// The files that a batch itself uses: its task list and its results.
struct OwnFiles: Sendable {
  private var list: FileIdentity?
  private var results: FileIdentity?

  /// - Parameter list: the descriptor that tasks are read from.
  init(list: Int32, results: FileIdentity?) {
    var status = stat()
    if fstat(list, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      self.list = FileIdentity(
        device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    }
    self.results = results
  }

  /// Whether both are the same file: rows would be read as tasks.
  var areOne: Bool { results != nil && list == results }

  /// - Throws: `sameFile` for a task that reads or writes one of them.
  func check(_ task: BatchTask) throws(BatchFailure) {
    let inputs = ([task.file].compactMap { $0 } + task.otherFiles).map { FileIdentity(path: $0) }
    if let results, inputs.contains(results) {
      throw Self.refusal("the input is the results file of this run")
    }
    guard let output = task.target.flatMap({ FileIdentity(path: $0) }) else { return }
    if output == results { throw Self.refusal("the output is the results file of this run") }
    if output == list { throw Self.refusal("the output is the list of tasks of this run") }
  }

  private static func refusal(_ message: String) -> BatchFailure {
    BatchFailure(
      code: MediaError.Code.sameFile.rawValue, status: .cannotCreate, message,
      hint: "Name another file.")
  }
}
