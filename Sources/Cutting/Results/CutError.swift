public import ExactTime
import Libav
public import MediaFiles
import Trimming

/// Why a film could not be cut: a code for machines, a sentence and a way out for people.
public struct CutError: Error, Sendable, Hashable {
  public var code: Code
  /// What happened, in one sentence without the file's name.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?
  /// Where the source is damaged, counted from its first presented sample; `nil` where it is not that,
  /// or no instant is known.
  public var times: MediaTimeRange?
  /// The length that a limit does not allow.
  public var refusedLength: MediaDuration?
  /// True where what happened, happened to the file that was to be written.
  public var concernsOutput = false

  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    concernsOutput = [.verificationFailed, .codecDoesNotFit, .writeFailed].contains(code)
  }

  /// Those of every error about a file, and some of cutting alone.
  public typealias Code = MediaErrorCode

  package init(_ error: PublishingError) {
    self.init(error.code, error.message, hint: error.hint)
    concernsOutput = true
  }

  init(_ refusal: PlanRefusal) {
    self.init(Code(refusal.code), refusal.message, hint: refusal.hint)
  }

  package init(_ error: ProbeError) {
    self.init(error.code, error.message, hint: error.hint)
  }

  #if FFmpeg
    init(_ error: LibavError) {
      switch error.kind {
      case .output(let fault): self.init(PublishingError(writing: fault.code))
      // Where the disk failed, `output` says it: this is a container that does not take the data.
      case .muxing: self.init(.codecDoesNotFit, error.message)
      case .notAllowed: self.init(.codecMissing, error.message)
      default: self.init(ProbeError(error))
      }
    }
  #endif

  /// Arithmetic that leaves 64 bits.
  static let beyondNumbers = CutError(
    .damaged, "its times are too large to calculate with")
}

extension CutError: CustomStringConvertible {
  public var description: String { message }
}
