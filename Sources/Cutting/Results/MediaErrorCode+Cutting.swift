public import MediaFiles
import Trimming

extension MediaErrorCode {
  /// The range lies outside the file, is empty, or contains nothing that is presented.
  public static let emptyRange = Self(rawValue: "emptyRange")
  /// The part would be longer than the limit allows.
  public static let tooLong = Self(rawValue: "tooLong")
  /// The file would have more bytes than were allowed.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// The output container does not support one of the codecs.
  public static let codecDoesNotFit = Self(rawValue: "codecDoesNotFit")
  /// The output's extension does not match a container that trim writes.
  public static let unknownContainer = Self(rawValue: "unknownContainer")
  /// An encoder or a decoder that the plan needs is missing.
  public static let codecMissing = Self(rawValue: "codecMissing")
  /// trim does not support cutting the source's container or codec.
  public static let notCuttable = Self(rawValue: "notCuttable")
  /// The written file differs from its plan, and the source is not the cause; it was not published.
  public static let verificationFailed = Self(rawValue: "verificationFailed")
  /// The source changed while it was read.
  public static let inputChanged = Self(rawValue: "inputChanged")
  /// The plan was made for another file, or was changed since it was made.
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
