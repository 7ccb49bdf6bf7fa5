/// What went wrong with a file, for machines: a stable camelCase name.
///
/// Errors of probing, publishing, drawing and cutting share these, so that one that passes from a
/// module to the next keeps its name. New codes may come; none changes its meaning.
public struct MediaErrorCode: Hashable, Sendable, RawRepresentable {
  /// The name, as it stands in JSON.
  public let rawValue: String

  /// Creates a code of any name: that of a later version, for instance.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The content is not media that is read here (text, a playlist, an unknown container).
  public static let notMedia = Self(rawValue: "notMedia")
  /// The file is so damaged that nothing can be said of it, or that what was asked for cannot be
  /// decoded or written.
  public static let damaged = Self(rawValue: "damaged")
  /// One of the limits was exceeded; the message names it.
  public static let limitExceeded = Self(rawValue: "limitExceeded")
  /// The samples are encrypted and the request needs them in the clear.
  public static let encrypted = Self(rawValue: "encrypted")
  /// Standard input cannot be read this way (a moov at the end, for instance).
  public static let needsSeeking = Self(rawValue: "needsSeeking")
  /// There is no file of that name.
  public static let inputMissing = Self(rawValue: "inputMissing")
  /// A directory, pipe, socket or device where a file is needed.
  public static let notRegularFile = Self(rawValue: "notRegularFile")
  /// An address of the network, or a file URL: only local paths are opened.
  public static let onlyLocalPaths = Self(rawValue: "onlyLocalPaths")
  /// The system does not let this process read or write there.
  public static let permissionDenied = Self(rawValue: "permissionDenied")
  /// The device or the file system failed while reading.
  public static let readFailed = Self(rawValue: "readFailed")
  /// The input stopped sending.
  public static let stalled = Self(rawValue: "stalled")
  /// The time allowed for it is over.
  public static let timedOut = Self(rawValue: "timedOut")
  /// The caller ended it.
  public static let cancelled = Self(rawValue: "cancelled")
  /// The memory allowed for it is used up.
  public static let outOfMemory = Self(rawValue: "outOfMemory")
  /// The process in which FFmpeg read the file died of it.
  public static let decoderCrashed = Self(rawValue: "decoderCrashed")
  /// A sealed process was required, and this system cannot seal one.
  public static let notIsolated = Self(rawValue: "notIsolated")
  /// FFmpeg's libraries are not installed or too old.
  public static let engineMissing = Self(rawValue: "engineMissing")
  /// A broken promise of our own.
  public static let internalError = Self(rawValue: "internalError")

  /// There is a file of that name, and replacing it was not asked for.
  public static let outputExists = Self(rawValue: "outputExists")
  /// The output is the input, perhaps under another name.
  public static let sameFile = Self(rawValue: "sameFile")
  /// The name is a directory, pipe or device, or its folder is missing.
  public static let cannotCreate = Self(rawValue: "cannotCreate")
  /// The disk is full, a quota is used up, or the device failed.
  public static let writeFailed = Self(rawValue: "writeFailed")
}
