import MediaEngine

extension MediaError {
  /// What to do about it: the error's own hint, or general advice for its code.
  var advice: String? { hint ?? code.advice }

  /// The same at the output: general advice for most codes is about the input.
  var adviceOfOutput: String? { hint ?? (code == .outputExists ? code.advice : nil) }

  /// The same from the command that shows what can be read, and so does not refer to itself.
  var adviceOfProbe: String? { hint ?? (code == .damaged ? MediaErrorCode.another : code.advice) }
}

extension MediaErrorCode {
  /// General advice for an error code, whichever module it comes from.
  var advice: String? { Self.advice[self] }

  /// What is said of damage: nobody else has looked at the file yet.
  fileprivate static let another =
    "If it was cut off or changed on its way, download or copy it again."

  private static let advice: [MediaErrorCode: String] = [
    .notMedia: "Check that it is a video or audio file, and that it is complete.",
    .damaged: another + " 'trim probe' shows what can be read.",
    .limitExceeded: "'trim doctor' lists the limits.",
    .outputExists: "Use -f to replace it.",
    .encrypted: "Remove the protection first, with the program that set it.",
    .needsSeeking: "Save it to a file first.",
    .inputMissing: "Check the name.",
    .notRegularFile: "Name a file.",
    .onlyLocalPaths: "Download it first.",
    .permissionDenied: "Check who may read the file: ls -l",
    .readFailed: "Check the disk or the connection, then try again.",
    .stalled: "Check the disk or the connection, then try again.",
    .timedOut: "Give it more time with --timeout, such as --timeout 10:00.",
    .outOfMemory: "Close other programs, use fewer jobs, or allow more memory and processes "
      + "(ulimit -v, -u), then try again.",
    .decoderCrashed: "The file is damaged in a way that crashes a library.",
    .notIsolated: "'trim doctor' lists the layers. Without required isolation, trim runs anyway.",
    .notDecoded: "'trim doctor' lists the codecs that are.",
    .noPicture: "'trim probe' shows what it contains.",
    .noSound: "'trim probe' shows what it contains.",
    .engineMissing: "'trim doctor' shows what is missing.",
    .internalError: "This is a bug in trim: please report it with the file.",
  ]
}
