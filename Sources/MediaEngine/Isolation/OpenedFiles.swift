import CSystem
import Glibc

/// The files of one job, opened by the process that may open files for one that may not.
///
/// The finished output has no name yet; it gets its name here, once the input is known to be
/// unchanged.
package final class OpenedFiles: Sendable {
  private let input: InputFile
  private let others: [InputFile]
  private let output: PendingFile?
  private let scratch: TemporaryFiles?

  /// - Parameters:
  ///   - others: further files that are read.
  ///   - output: where the result will appear; `nil` for work that has none.
  ///   - needsScratch: whether temporary storage for what is read may be needed.
  /// - Throws: ``MediaError``: the input cannot be read, or the output path is taken.
  package init(
    input path: [UInt8], others: [[UInt8]] = [], output: [UInt8]?, replacing: Bool,
    needsScratch: Bool = true,
    faults: @escaping PendingFile.FaultPort = { _ in nil }
  ) throws(MediaError) {
    input = try InputFile(path: path)
    var opened: [InputFile] = []
    for other in others {
      do throws(MediaError) {
        opened.append(try InputFile(path: other))
      } catch {
        throw MediaError(
          error.code, "\(String(decoding: other, as: UTF8.self)): \(error.message)",
          hint: error.hint)
      }
    }
    self.others = opened
    guard let output else {
      self.output = nil
      scratch = needsScratch ? TemporaryFiles() : nil
      return
    }
    let pending = try PendingFile(
      at: output, replacing: replacing, sparing: ([input] + self.others).map(\.fileIdentity),
      faults: faults)
    scratch = try TemporaryFiles(beside: pending)
    self.output = pending
  }

  /// The inputs for another process, to be kept until they were sent.
  package func handedInputs() throws(MediaError) -> [HandedInput] {
    var handed: [HandedInput] = []
    for file in [input] + others { handed.append(try file.handedOver()) }
    return handed
  }

  /// What follows the inputs in the order that a worker expects: output, scratch.
  package var outputDescriptors: [Int32] {
    (output.map { [$0.descriptor] } ?? []) + (scratch?.descriptors ?? [])
  }

  /// The sizes of further inputs.
  package var otherByteCounts: [Int64?] { others.map(\.byteCount) }

  /// Why an input on another machine could not be read.
  package var remoteFault: MediaError? {
    ([input] + others).lazy.compactMap(\.remoteFault).first
  }

  /// Asks whether inputs on other machines are still what they were, which their faults then say.
  package func confirm() {
    for file in [input] + others { file.confirm() }
  }

  /// The first bytes of the input.
  package var head: [UInt8] { input.head }

  package var byteCount: Int64? { input.byteCount }

  /// The size of all inputs.
  package var allBytes: Int64 {
    ([input] + others).reduce(0) { sum, file in
      sum.addingReportingOverflow(file.byteCount ?? 0).partialValue
    }
  }

  /// The state of the output, which naming it does not change; `nil` for work without output.
  package func outputState() -> OutputState? {
    output.flatMap { OutputState(descriptor: $0.descriptor) }
  }

  /// Empties output and temporary files for another attempt.
  package func emptyOutput() throws(MediaError) {
    for descriptor in outputDescriptors where ftruncate(descriptor, 0) != 0 {
      throw MediaError(writing: errno)
    }
  }

  /// Flushes the output's bytes to disk, so that what was verified about them holds.
  package func sync() throws(MediaError) {
    try output?.sync()
  }

  /// Gives the output its name.
  ///
  /// - Throws: ``MediaError``: `inputChanged`, or why the output could not appear. The destination is
  ///   then unchanged.
  package func publish() throws(MediaError) {
    guard let output else { return }
    for file in [input] + others { try file.checkUnchanged() }
    try output.appear()
  }
}
