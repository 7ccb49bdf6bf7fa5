public import ExactTime
import Libav
public import MediaFiles
import Trimming

/// Why a file could not be cut: a code for programs, a sentence and a hint for people.
public struct CutError: Error, Sendable, Hashable {
  /// What kind of error it is, for programs that act on it.
  public var code: Code
  /// What happened, in one sentence without the file's name.
  public var message: String
  /// What to do about it; `nil` where nothing would help.
  public var hint: String?
  /// Where the source is damaged, counted from its first presented sample; `nil` for other errors and
  /// where no instant is known.
  public var times: MediaTimeRange?
  /// The duration that the limit does not allow; `nil` for other errors.
  public var refusedLength: MediaDuration?
  /// Where a written file differs from its plan; `nil` where there is no specific place.
  var difference: Difference?
  /// Which of several sources it concerns, from 0; `nil` where there is only one, or all are.
  public var source: Int?
  /// True where the error concerns the output, false where it concerns the source.
  public var concernsOutput = false

  /// Creates an error; `message` names no command-line option.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    concernsOutput = [.verificationFailed, .codecDoesNotFit, .writeFailed].contains(code)
  }

  /// A track of a written file, and the first packet that differs from the plan.
  struct Difference: Hashable, Sendable {
    var track: Int
    /// `nil` where the track differs as a whole.
    var packet: Int?
  }

  /// The codes of all media errors, including those specific to cutting.
  public typealias Code = MediaErrorCode

  package init(_ error: PublishingError) {
    self.init(error.code, error.message, hint: error.hint)
    concernsOutput = true
  }

  /// - Throws: ``CutError`` in place of what publishing throws.
  package static func ofPublishing<Result>(
    _ work: () throws(PublishingError) -> Result
  ) throws(CutError) -> Result {
    do throws(PublishingError) {
      return try work()
    } catch {
      throw CutError(error)
    }
  }

  init(_ refusal: PlanRefusal) {
    self.init(Code(refusal.code), refusal.message, hint: refusal.hint)
    source = refusal.source
  }

  package init(_ error: ProbeError) {
    self.init(error.code, error.message, hint: error.hint)
  }

  init(_ error: LibavError) {
    switch error.kind {
    case .output(let fault): self.init(PublishingError(writing: fault.code))
    // Disk failures are `output`: here the container does not accept the data.
    case .muxing: self.init(.codecDoesNotFit, error.message)
    case .soundChanges:
      self.init(
        .notCuttable, error.message,
        hint: "Choose a range without the change, or copy the audio (audio: copy).")
    case .notAllowed: self.init(.codecMissing, error.message)
    default: self.init(ProbeError(error))
    }
  }

  /// More bytes than a request allows.
  static func tooLarge(_ most: Int64) -> CutError {
    CutError(
      .tooLarge, "the file would be larger than \(most) bytes, which is not allowed",
      hint: "Request a shorter part, or allow more bytes.")
  }

  static let cancelled = CutError(ProbeError.cancelled)

  /// Arithmetic that overflows 64 bits.
  static let beyondNumbers = CutError(
    .damaged, "its timestamps overflow 64-bit arithmetic")
}

extension CutError: CustomStringConvertible {
  /// The message only, without the hint.
  public var description: String { message }
}
