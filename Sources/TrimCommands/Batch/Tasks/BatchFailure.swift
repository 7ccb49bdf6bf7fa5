import CommandLineKit
import Glibc
import MediaEngine

/// Why a task produced no result: the `error` of its row.
struct BatchFailure: Error, Equatable {
  /// A stable camelCase code.
  var code: String
  /// One sentence.
  var message: String
  var hint: String?
  /// The exit status of the same failure in a single command.
  var status: ExitStatus

  var isRetryable: Bool { status == .temporaryFailure }

  var json: JSONValue {
    .object([
      "code": .string(code), "retryable": .bool(isRetryable), "message": .string(message),
      "hint": .optional(hint), "status": .integer(Int64(status.code)),
    ])
  }

  init(code: String, status: ExitStatus, _ message: String, hint: String? = nil) {
    self.code = code
    self.status = status
    self.message = message
    self.hint = hint
  }

  /// The task itself is invalid.
  static func badTask(_ message: String, hint: String? = nil) -> BatchFailure {
    BatchFailure(code: "badTask", status: .usage, message, hint: hint)
  }

  init(_ error: UsageError) {
    self = .badTask(error.message)
  }

  init(_ error: MediaError) {
    self.init(
      code: error.code.rawValue, status: error.exitStatus, error.message, hint: error.advice)
  }

  /// It exceeded its timeout, or twice that if it had to be killed.
  static let timedOut = BatchFailure(
    code: "timedOut", status: .temporaryFailure, "it took longer than allowed",
    hint: "Raise --timeout, or leave this file out.")

  /// It was busy the whole time, and would be again.
  static let processorTime = BatchFailure(
    code: "limitExceeded", status: .badData,
    "it was still using the CPU after twice the allowed time, and was killed",
    hint: "Raise --timeout, or leave this file out.")

  /// Its process crashed twice.
  static func crashed(signal: Int32) -> BatchFailure {
    BatchFailure(
      code: "decoderCrashed", status: .badData,
      "the process that read it was killed by signal \(signal), twice",
      hint: "The file is damaged in a way that crashes a library.")
  }

  static func cannotStart(_ number: Int32) -> BatchFailure {
    let hint =
      switch number {
      case EMFILE, ENFILE: SystemShortage(number)?.hint
      case EAGAIN: "Allow more processes (ulimit -u), or use fewer jobs (-j), then try again."
      default:
        "Close other programs, use fewer jobs, or allow more processes and open files (ulimit -a), "
          + "then try again."
      }
    return BatchFailure(
      code: "workerMissing", status: .temporaryFailure,
      "no process can be started for it: \(SystemError.text(number))", hint: hint)
  }
}
