extension OpenedFile {
  /// Makes a preview of an order's cut: nothing is verified or published.
  ///
  /// - Throws: ``CutError``, as the cut would.
  public func preview(
    _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
  ) throws(CutError) -> CutPreview {
    try preview(plan(order), beside: order.output, progress: progress)
  }
}
