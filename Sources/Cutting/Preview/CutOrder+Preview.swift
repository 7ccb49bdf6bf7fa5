public import MediaFiles

extension OpenedFile {
  /// Makes a preview of an order's cut: nothing is verified or published.
  ///
  /// - Throws: ``MediaError``, as the cut would.
  public func preview(
    _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutPreview {
    try preview(plan(order), beside: order.output, progress: progress)
  }
}
