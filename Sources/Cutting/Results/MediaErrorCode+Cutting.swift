public import MediaFiles
import Trimming

extension MediaErrorCode {
  /// The range lies outside the file, is empty, or shows nothing of it.
  public static let emptyRange = Self(rawValue: "emptyRange")
  /// The part would be longer than the limit allows.
  public static let tooLong = Self(rawValue: "tooLong")
  /// The file would have more bytes than were allowed.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// The container of the output does not hold one of the codecs.
  public static let codecDoesNotFit = Self(rawValue: "codecDoesNotFit")
  /// The extension of the output names no container that trim writes.
  public static let unknownContainer = Self(rawValue: "unknownContainer")
  /// An encoder or a decoder that the plan needs is missing.
  public static let codecMissing = Self(rawValue: "codecMissing")
  /// The source's container or codec is of a kind that trim does not cut.
  public static let notCuttable = Self(rawValue: "notCuttable")
  /// The written file differs from its plan, and the source is not the cause; it was not published.
  public static let verificationFailed = Self(rawValue: "verificationFailed")
  /// The source changed while it was read.
  public static let inputChanged = Self(rawValue: "inputChanged")
  /// The plan was made for another file, or was changed since.
  public static let planDiffers = Self(rawValue: "planDiffers")

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
