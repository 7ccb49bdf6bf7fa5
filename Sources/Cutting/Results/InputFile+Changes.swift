package import MediaFiles

extension InputFile {
  /// - Throws: ``CutError`` of code `inputChanged` where it is no longer what was opened, or where its
  ///   name is that of another file now.
  package func checkUnchanged() throws(CutError) {
    guard isUnchanged() else { throw .inputChanged }
    guard isReplaced else { return }
    throw CutError(
      .inputChanged, "the input was replaced by another file while it was read",
      hint: "Try again: the new file is another one.")
  }

  /// What failed, or that it failed because the input changed: bytes that were overwritten are no
  /// damage, and nobody's fault.
  func cause(of error: CutError) -> CutError {
    let isDoubtful = [.damaged, .verificationFailed, .internalError].contains(error.code)
    return isDoubtful && !isUnchanged() ? .inputChanged : error
  }
}

extension CutError {
  static let inputChanged = CutError(
    .inputChanged, "the input changed while it was read",
    hint: "Try again when nothing writes to it.")
}
