package import MediaFiles

extension InputFile {
  /// - Throws: ``MediaError`` of code `inputChanged` where the file was changed since it was opened,
  ///   or where its name now refers to another file.
  package func checkUnchanged() throws(MediaError) {
    guard isUnchanged() else { throw .inputChanged }
    guard isReplaced else { return }
    throw MediaError(
      .inputChanged, "the input was replaced by another file while it was being read",
      hint: "Try again: the file is a different one now.")
  }

  /// The error, or `inputChanged` if the input changed meanwhile: overwritten bytes are not damage.
  func cause(of error: MediaError) -> MediaError {
    let isDoubtful = [.damaged, .verificationFailed, .internalError].contains(error.code)
    return isDoubtful && !isUnchanged() ? .inputChanged : error
  }
}

extension MediaError {
  static let inputChanged = MediaError(
    .inputChanged, "the input changed while it was being read",
    hint: "Try again when nothing is writing to it.")
}
