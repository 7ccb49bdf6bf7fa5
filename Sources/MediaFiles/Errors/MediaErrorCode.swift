/// What went wrong with a file, for programs: a stable camelCase name.
///
/// Errors of probing, publishing, drawing and cutting share these, so that an error keeps its name
/// from one module to the next. New codes may be added; existing ones do not change their meaning.
public struct MediaErrorCode: Hashable, Sendable, RawRepresentable {
  /// The name, as written in JSON.
  public let rawValue: String

  /// Creates a code with any name, for instance that of a later version.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The content is not supported media (text, a playlist, an unknown container).
  public static let notMedia = Self(rawValue: "notMedia")
  /// The file is too damaged to describe, or what was requested cannot be decoded or written.
  public static let damaged = Self(rawValue: "damaged")
  /// One of the limits was exceeded; the message names it.
  public static let limitExceeded = Self(rawValue: "limitExceeded")
  /// The samples are encrypted and the request needs them unencrypted.
  public static let encrypted = Self(rawValue: "encrypted")
  /// Standard input cannot be read this way (a moov at the end, for instance).
  public static let needsSeeking = Self(rawValue: "needsSeeking")
  /// There is no file with that name.
  public static let inputMissing = Self(rawValue: "inputMissing")
  /// A directory, pipe, socket or device where a file is needed.
  public static let notRegularFile = Self(rawValue: "notRegularFile")
  /// A network address or a file URL: only local paths are opened.
  public static let onlyLocalPaths = Self(rawValue: "onlyLocalPaths")
  /// The system does not let this process read or write there.
  public static let permissionDenied = Self(rawValue: "permissionDenied")
  /// The device or the file system failed while reading.
  public static let readFailed = Self(rawValue: "readFailed")
  /// The program that this one reads a file through could not read it.
  public static let storeFailed = Self(rawValue: "storeFailed")
  /// The input stopped sending data.
  public static let stalled = Self(rawValue: "stalled")
  /// The time limit was exceeded.
  public static let timedOut = Self(rawValue: "timedOut")
  /// The caller cancelled the operation.
  public static let cancelled = Self(rawValue: "cancelled")
  /// The allowed memory is used up.
  public static let outOfMemory = Self(rawValue: "outOfMemory")
  /// The process in which FFmpeg read the file crashed.
  public static let decoderCrashed = Self(rawValue: "decoderCrashed")
  /// A sealed (sandboxed) process was required, and this system cannot seal one.
  public static let notIsolated = Self(rawValue: "notIsolated")
  /// FFmpeg's libraries are not installed or too old.
  public static let engineMissing = Self(rawValue: "engineMissing")
  /// An internal invariant was violated.
  public static let internalError = Self(rawValue: "internalError")

  /// A file with that name exists, and replacing it was not requested.
  public static let outputExists = Self(rawValue: "outputExists")
  /// The output is the input, perhaps under another name.
  public static let sameFile = Self(rawValue: "sameFile")
  /// The name is a directory, pipe or device, or its folder is missing.
  public static let cannotCreate = Self(rawValue: "cannotCreate")
  /// The disk is full, a quota is used up, or the device failed.
  public static let writeFailed = Self(rawValue: "writeFailed")

  /// The file has no video, or none that is shown.
  public static let noPicture = Self(rawValue: "noPicture")
  /// The file has no audio, or none that is audible.
  public static let noSound = Self(rawValue: "noSound")
  /// A codec that trim does not decode.
  public static let notDecoded = Self(rawValue: "notDecoded")

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
}
