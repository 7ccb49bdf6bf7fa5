import MediaFiles
public import Trimming

/// All that is asked of a cut: what, how, within which limit, and where to.
public struct CutOrder: Sendable, Hashable {
  public var request: CutRequest
  public var output: [UInt8]
  public var container: OutputContainer?
  /// Judged on the length that would be written; `nil` where any is welcome.
  public var limit: LengthLimit?
  /// Whether a file of the output's name is replaced.
  public var replaces: Bool
  /// Whether a file that fails its proof is kept, as `NAME.failed`.
  public var keepsFailed = false

  /// The container follows from the output's name.
  public init(
    _ request: CutRequest, to output: [UInt8], limit: LengthLimit? = nil, replaces: Bool = false
  ) {
    self.request = request
    self.output = output
    container = OutputContainer(fileName: output)
    self.request.isSoundAlone = OutputContainer.isSoundAlone(fileName: output)
    self.limit = limit
    self.replaces = replaces
  }
}

#if FFmpeg
  extension CutFilm {
    /// What would be written, within the limit.
    ///
    /// - Throws: ``CutError``; of code `tooLong` where the limit does not allow its length.
    public func plan(_ order: CutOrder) throws(CutError) -> CutPlan {
      guard let container = order.container else {
        throw CutError(
          .unknownContainer, "the output's name does not say which container to write",
          hint: "Use an ending such as .mp4, .mkv or .ts.")
      }
      let plan = try plan(order.request, for: container)
      if let limit = order.limit, !limit.isValid(plan.length) {
        var error = CutError(
          .tooLong, "the part would be \(plan.length) s long, which the limit does not allow")
        error.refusedLength = plan.length
        throw error
      }
      return plan
    }

    /// The one act: plans, judges the limit, cuts, proves and publishes.
    ///
    /// - Throws: ``CutError``; the destination is as it was then.
    public func cut(
      _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutReport {
      try cut(
        plan(order), to: order.output, replaces: order.replaces, keepsFailed: order.keepsFailed,
        progress: progress)
    }
  }
#endif
