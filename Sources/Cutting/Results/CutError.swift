public import ExactTime
import Libav
package import MediaFiles
import Trimming

/// Why a file could not be cut: a code for machines, a sentence and a way out for people.
public struct CutError: Error, Sendable, Hashable {
  /// What kind of error it is, for programs that act on it.
  public var code: Code
  /// What happened, in one sentence without the file's name.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?
  /// Where the source is damaged, counted from its first presented sample; `nil` for other errors and
  /// where no instant is known.
  public var times: MediaTimeRange?
  /// The length that the limit does not allow; `nil` for other errors.
  public var refusedLength: MediaDuration?
  /// True where the error concerns the output, false where it concerns the source.
  public var concernsOutput = false

  /// Creates an error; `message` names no command-line option.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    concernsOutput = [.verificationFailed, .codecDoesNotFit, .writeFailed].contains(code)
  }

  /// A stable camelCase code; those of ``ProbeError/Code`` and
  /// ``PublishingError/Code`` keep their names here.
  public struct Code: Hashable, Sendable, RawRepresentable {
    /// The code as written in JSON, such as `codecDoesNotFit`.
    public let rawValue: String
    /// Creates a code from its camelCase spelling, which is not checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The range lies outside the file, is empty, or shows nothing of it.
    public static let emptyRange = Code(rawValue: "emptyRange")
    /// The part would be longer than the limit allows.
    public static let tooLong = Code(rawValue: "tooLong")
    /// The container of the output does not hold one of the codecs.
    public static let codecDoesNotFit = Code(rawValue: "codecDoesNotFit")
    /// The extension of the output names no container that trim writes.
    public static let unknownContainer = Code(rawValue: "unknownContainer")
    /// An encoder or a decoder that the plan needs is missing.
    public static let codecMissing = Code(rawValue: "codecMissing")
    /// The source's container or codec is of a kind that trim does not cut.
    public static let notCuttable = Code(rawValue: "notCuttable")
    /// A frame or sample that the plan needs cannot be decoded or written: the source is damaged there.
    public static let damaged = Code(rawValue: "damaged")
    /// The written file differs from its plan, and the source is not the cause; nothing was published.
    public static let verificationFailed = Code(rawValue: "verificationFailed")
    /// The source changed while it was read.
    public static let inputChanged = Code(rawValue: "inputChanged")
    /// The plan was made for another file, or was changed since.
    public static let planDiffers = Code(rawValue: "planDiffers")
    /// A file of the output's name exists, and replacing it was not asked for.
    public static let outputExists = Code(rawValue: PublishingError.Code.outputExists.rawValue)
    /// The output is the source, perhaps under another name.
    public static let sameFile = Code(rawValue: PublishingError.Code.sameFile.rawValue)
    /// The output's name is a directory, pipe or device, or its folder is missing.
    public static let cannotCreate = Code(rawValue: PublishingError.Code.cannotCreate.rawValue)
    /// The system does not allow reading the source or writing the output.
    public static let permissionDenied = Code(
      rawValue: PublishingError.Code.permissionDenied.rawValue)
    /// The disk is full, a quota is used up, or the device failed.
    public static let writeFailed = Code(rawValue: "writeFailed")
    /// The caller cancelled the cut; nothing was published.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A broken promise of trim's own; worth a report.
    public static let internalError = Code(rawValue: "internalError")

    init(_ code: PlanRefusal.Code) {
      switch code {
      case .emptyRange: self = .emptyRange
      case .codecDoesNotFit: self = .codecDoesNotFit
      case .codecMissing: self = .codecMissing
      case .notCuttable: self = .notCuttable
      case .damaged: self = .damaged
      }
    }
  }

  package init(_ error: PublishingError) {
    self.init(Code(rawValue: error.code.rawValue), error.message, hint: error.hint)
    concernsOutput = true
  }

  init(_ refusal: PlanRefusal) {
    self.init(Code(refusal.code), refusal.message, hint: refusal.hint)
  }

  package init(_ error: ProbeError) {
    self.init(Code(rawValue: error.code.rawValue), error.message, hint: error.hint)
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
  /// The message alone, without the hint.
  public var description: String { message }
}
