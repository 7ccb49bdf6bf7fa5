package import MediaFiles

extension InputFile {
  /// - Throws: ``CutError`` of code `inputChanged` where it is no longer what was opened.
  package func checkUnchanged() throws(CutError) {
    guard isUnchanged() else { throw .inputChanged }
  }

  /// - Throws: ``CutError`` of code `inputChanged` where the name it was opened by is that of
  ///   another file now.
  package func checkStillNamed(_ path: [UInt8]) throws(CutError) {
    guard isReplaced(at: path) else { return }
    throw CutError(
      .inputChanged, "the input was replaced by another file while it was read",
      hint: "Try again: the new file is another one.")
  }
}

extension CutError {
  static let inputChanged = CutError(
    .inputChanged, "the input changed while it was read",
    hint: "Try again when nothing writes to it.")
}
