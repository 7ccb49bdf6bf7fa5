import CommandLineKit
import ExactTime
import MediaEngine

/// An error of an engine in another process, as reported by that process.
///
/// All its text is untrusted, since that process reads hostile files.
struct EngineFailure: Error, Sendable, Codable {
  var code: String
  var message: String
  var hint: String?
  /// The exit status, where the code does not determine it.
  var status: Int32?
  var times: MediaTimeRange?
  var refusedLength: MediaDuration?
  var concernsOutput = false

  init(_ error: ProbeError) {
    code = error.code.rawValue
    message = error.message
    hint = error.hint
  }

  init(_ error: CutError) {
    code = error.code.rawValue
    message = error.message
    hint = error.hint
    times = error.times
    refusedLength = error.refusedLength
    concernsOutput = error.concernsOutput
  }

  init(code: String, message: String, hint: String?, status: ExitStatus) {
    self.code = code
    self.message = message
    self.hint = hint
    self.status = status.code
  }

  /// Creates a failure from any other error.
  init(any error: any Error) {
    switch error {
    case let error as EngineFailure: self = error
    case let error as ProbeError: self.init(error)
    case let error as CutError: self.init(error)
    default: self.init(ProbeError(.internalError, "\(error)"))
    }
  }

  var probeError: ProbeError {
    ProbeError(MediaErrorCode(rawValue: code), message, hint: hint.map { ForeignText.shown($0) })
  }

  var cutError: CutError {
    var error = CutError(
      MediaErrorCode(rawValue: code), message, hint: hint.map { ForeignText.shown($0) })
    error.times = times
    error.refusedLength = refusedLength
    error.concernsOutput = concernsOutput
    return error
  }
}

extension ProbeError {
  /// The memory limit of a process was reached.
  static let memoryUsedUp = ProbeError(
    .limitExceeded, "it needs more memory than the limits allow")

  /// - Parameter signal: the signal that killed the process, or, if negative, its exit status.
  static func crashed(signal: Int32) -> ProbeError {
    ProbeError(
      .decoderCrashed,
      signal > 0
        ? "the process that read it was killed by signal \(signal)"
        : "the process that read it ended with status \(-signal)")
  }
}
