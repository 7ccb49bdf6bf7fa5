extension CutError {
  static let inputChanged = CutError(
    .inputChanged, "the input changed while it was read",
    hint: "Try again when nothing writes to it.")
}
