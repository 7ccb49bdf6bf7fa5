public import ExactTime
import Libav
package import MediaFiles
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
  /// Where a written file differs from its plan; `nil` where that is nowhere in particular.
  var difference: Difference?
  /// True where what happened, happened to the file that was to be written.
  public var concernsOutput = false

  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    concernsOutput = [.verificationFailed, .codecDoesNotFit, .writeFailed].contains(code)
  }

  /// A track of a written file, and the packet from which on it differs from its plan.
  struct Difference: Hashable, Sendable {
    var track: Int
    /// `nil` where the track differs as a whole.
    var packet: Int?
  }

  /// A stable camelCase code; those of ``ProbeError/Code`` and
  /// ``PublishingError/Code`` keep their names here.
  public struct Code: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The range lies outside the film, is empty, or shows nothing of it.
    public static let emptyRange = Code(rawValue: "emptyRange")
    /// The range is not shorter than the limit.
    public static let tooLong = Code(rawValue: "tooLong")
    /// The container of the output does not hold one of the codecs.
    public static let codecDoesNotFit = Code(rawValue: "codecDoesNotFit")
    /// The name of the output says nothing of a container that is written here.
    public static let unknownContainer = Code(rawValue: "unknownContainer")
    /// An encoder or a decoder that the plan needs is not there.
    public static let codecMissing = Code(rawValue: "codecMissing")
    /// The source is of a kind that is not cut here.
    public static let notCuttable = Code(rawValue: "notCuttable")
    /// A frame or sample that was promised cannot be decoded or written: the source is damaged there.
    public static let damaged = Code(rawValue: "damaged")
    /// The written file differs from its plan, and the source is not the cause; it was not published.
    public static let verificationFailed = Code(rawValue: "verificationFailed")
    /// The source changed while it was read.
    public static let inputChanged = Code(rawValue: "inputChanged")
    /// A plan was made for another file.
    public static let planDiffers = Code(rawValue: "planDiffers")
    public static let outputExists = Code(rawValue: PublishingError.Code.outputExists.rawValue)
    public static let sameFile = Code(rawValue: PublishingError.Code.sameFile.rawValue)
    public static let cannotCreate = Code(rawValue: PublishingError.Code.cannotCreate.rawValue)
    public static let permissionDenied = Code(
      rawValue: PublishingError.Code.permissionDenied.rawValue)
    public static let writeFailed = Code(rawValue: "writeFailed")
    public static let cancelled = Code(rawValue: "cancelled")
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
  public var description: String { message }
}
