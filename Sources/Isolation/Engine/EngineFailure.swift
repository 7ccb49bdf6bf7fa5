package import ExactTime
package import MediaEngine
import SafeText

/// An error of an engine in another process, as reported by that process.
///
/// All its text is untrusted, since that process reads hostile files.
package struct EngineFailure: Error, Sendable, Codable {
  package var code: String
  package var message: String
  package var hint: String?
  /// The exit status, where the code does not determine it.
  package var status: Int32?
  package var times: MediaTimeRange?
  package var refusedLength: MediaDuration?
  package var concernsOutput = false
  /// The number of the file that it is about, where several are joined.
  package var source: Int?

  package init(_ error: MediaError) {
    code = error.code.rawValue
    message = error.message
    hint = error.hint
    times = error.times
    refusedLength = error.refusedLength
    concernsOutput = error.concernsOutput
    source = error.source
  }

  package init(code: String, message: String, hint: String?, status: Int32) {
    self.code = code
    self.message = message
    self.hint = hint
    self.status = status
  }

  /// What a process sent is not what it was asked for.
  package static var invalidAnswer: EngineFailure {
    EngineFailure(MediaError(.internalError, "the sealed process sent an invalid answer"))
  }

  /// Creates a failure from any other error.
  package init(any error: any Error) {
    self = error as? EngineFailure ?? EngineFailure(MediaError(any: error))
  }

  package var mediaError: MediaError {
    var error = MediaError(
      MediaErrorCode(rawValue: code), message, hint: hint.map { ForeignText.shown($0) })
    error.times = times
    error.refusedLength = refusedLength
    error.concernsOutput = concernsOutput
    error.source = source
    return error
  }
}

extension MediaError {
  /// The memory limit of a process was reached.
  package static let memoryUsedUp = MediaError(
    .limitExceeded, "it needs more memory than the limits allow")

  /// - Parameter signal: the signal that killed the process, or, if negative, its exit status.
  package static func crashed(signal: Int32) -> MediaError {
    MediaError(
      .decoderCrashed,
      signal > 0
        ? "the process that read it was killed by signal \(signal)"
        : "the process that read it ended with status \(-signal)")
  }
}
