public import ExactTime

/// Why a file could not be probed, drawn, cut or published: a code for programs, a sentence and a hint for people.
public struct MediaError: Error, Sendable, Hashable {
  /// What kind of error it is, for programs that act on it.
  public var code: Code
  /// What happened, in one sentence without the file's name: the caller knows it, and escapes it.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?
  /// Where the source is damaged, counted from its first presented sample; `nil` for other errors and
  /// where no instant is known.
  public var times: MediaTimeRange?
  /// The duration that the limit does not allow; `nil` for other errors.
  public var refusedLength: MediaDuration?
  /// Which of several sources it concerns, from 0; `nil` where there is only one, or all are.
  public var source: Int?
  /// True where the error concerns the output, false where it concerns the source.
  public var concernsOutput: Bool
  /// Where a written file differs from its plan; `nil` where there is no specific place.
  package var difference: Difference?

  /// The codes, shared by all errors about a file.
  public typealias Code = MediaErrorCode

  /// Creates an error; `message` names no command-line option.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    concernsOutput = [.verificationFailed, .codecDoesNotFit, .writeFailed].contains(code)
  }

  /// An error about the output's name or place, whatever its code.
  package init(output code: Code, _ message: String, hint: String? = nil) {
    self.init(code, message, hint: hint)
    concernsOutput = true
  }

  /// A track of a written file, and the first packet that differs from the plan.
  package struct Difference: Hashable, Sendable {
    package var track: Int
    /// `nil` where the track differs as a whole.
    package var packet: Int?

    package init(track: Int, packet: Int?) {
      self.track = track
      self.packet = packet
    }
  }
}

extension MediaError: CustomStringConvertible {
  /// The message, without the hint.
  public var description: String { message }
}

/// The name of ``MediaError`` in 0.2.0 where a file is probed or drawn.
@available(*, deprecated, renamed: "MediaError")
public typealias ProbeError = MediaError

/// The name of ``MediaError`` in 0.2.0 where a file is cut.
@available(*, deprecated, renamed: "MediaError")
public typealias CutError = MediaError

/// The name of ``MediaError`` in 0.2.0 where a file is published.
@available(*, deprecated, renamed: "MediaError")
public typealias PublishingError = MediaError
