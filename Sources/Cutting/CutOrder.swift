public import MediaFiles
public import Trimming

/// Everything that is requested of a cut: what, how, within which limit, and where to.
public struct CutOrder: Sendable, Hashable {
  /// Which parts to cut, and how.
  public var request: CutRequest
  /// The path of the output, as bytes of the file system; relative to the working directory.
  public var output: [UInt8]
  /// The container to write; `nil` where the output's extension names none, and planning then
  /// fails.
  public var container: OutputContainer?
  /// The limit for the duration that would be written; `nil` for none.
  public var limit: LengthLimit?
  /// Whether an existing file of the output's name is replaced.
  public var replaces: Bool
  /// Whether a file that fails verification is kept, as `NAME.failed`.
  public var keepsFailed = false
  /// Whether the cut follows its plan, so that the media of the parts will be read in any case.
  package var isExecuted = false

  /// Creates an order; the container, and whether only audio is written, follow from the output's
  /// extension.
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

extension CutOrder {
  /// - Throws: ``MediaError`` where the output's name does not identify the container to write.
  package func statedContainer() throws(MediaError) -> OutputContainer {
    if let container { return container }
    throw MediaError(
      .unknownContainer, "the output's name does not indicate which container to write",
      hint: "Use an extension such as .mp4, .mkv or .ts.")
  }

  /// - Throws: ``MediaError`` of code `tooLong` where the limit does not allow a plan's duration.
  package func checkLength(of plan: CutPlan) throws(MediaError) {
    guard let limit, !limit.isValid(plan.length) else { return }
    var error = MediaError(
      .tooLong, "the part would be \(plan.length) s long, outside the length limit")
    error.refusedLength = plan.length
    throw error
  }
}

extension OpenedFile {
  /// The plan for an order, within its limit.
  ///
  /// - Throws: ``MediaError``; of code `tooLong` where the limit does not allow its duration.
  public func plan(_ order: CutOrder) throws(MediaError) -> CutPlan {
    if order.isExecuted { expectMedia(of: order.request) }
    let plan = try plan(
      order.request, for: order.statedContainer(), isExecuted: order.isExecuted)
    try order.checkLength(of: plan)
    return plan
  }

  /// Plans, checks the limit, cuts, verifies and publishes: a complete cut.
  ///
  /// - Parameter progress: called now and then on the calling thread; returns false to cancel.
  /// - Throws: ``MediaError``; the destination is then unchanged.
  public func cut(
    _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutReport {
    try cut(
      plan(order), to: order.output, replaces: order.replaces, keepsFailed: order.keepsFailed,
      progress: progress)
  }
}
