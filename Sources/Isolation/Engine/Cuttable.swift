package import ExactTime
package import MediaEngine
package import MediaFacts
package import Trimming

/// A file that is open for cutting, here or in a sealed process; every function blocks.
///
/// Must not be used from several threads at once.
package protocol Cuttable: AnyObject {
  var facts: MediaFacts { get }
  /// When each frame is shown, counted from the first presented sample; `nil` where that is not
  /// known.
  var frameStarts: FrameStarts? { get }

  /// Facts that a plan made in another process needs.
  func learn(_ missing: [MissingFact]) throws(MediaError) -> [LearnedFact]
  /// What distinguishes the file from others, as plans have it; of several, that of the first.
  func identity() throws(MediaError) -> SourceIdentity
  func plan(_ request: CutRequest, for container: OutputContainer) throws(MediaError) -> CutPlan
  /// The plan for an order, within its limit; if it is executed, only what that needs is read.
  func plan(_ order: CutOrder) throws(MediaError) -> CutPlan
  /// Says that the media of the parts of a request will be read.
  func expectMedia(of request: CutRequest)
  func checkPlace(_ path: [UInt8], replaces: Bool) throws(MediaError)
  func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool, keepsFailed: Bool,
    progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport
  /// Executes a plan into an open file, verified but not published.
  func cut(
    _ plan: CutPlan, into output: PendingFile, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport
  /// Executes a plan for preview, into a file without a name.
  ///
  /// - Parameter path: where the cut itself would go: that disk must have room.
  func resultPictures(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> ResultPictures
  /// Lays out the result of a plan without writing it; `nil` where that is not possible.
  ///
  /// - Parameter path: where the cut itself would go.
  func laidResult(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> LaidResult?
}

extension Cuttable {
  /// Nothing is prepared where that would not save requests.
  func expectMedia(of request: CutRequest) {}

  package func plan(_ order: CutOrder) throws(MediaError) -> CutPlan {
    if order.isExecuted { expectMedia(of: order.request) }
    let plan = try plan(order.request, for: order.statedContainer())
    try order.checkLength(of: plan)
    return plan
  }

  /// Plans and makes the cut for preview.
  package func resultPictures(
    _ order: CutOrder, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> ResultPictures {
    try resultPictures(plan(order), beside: order.output, progress: progress)
  }

  /// Plans and lays out the cut.
  package func laidResult(
    _ order: CutOrder, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> LaidResult? {
    try laidResult(plan(order), beside: order.output, progress: progress)
  }

  /// Plans and cuts in one go.
  package func cut(
    _ order: CutOrder, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    try cut(
      plan(order), to: order.output, replaces: order.replaces, keepsFailed: order.keepsFailed,
      progress: progress)
  }
}

extension OpenedFile: Cuttable {
  package func resultPictures(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> ResultPictures {
    let made = try preview(plan, beside: path, progress: progress)
    do {
      return try ResultPictures(made)
    } catch {
      throw EngineFailure(any: error).mediaError
    }
  }

  package func laidResult(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> LaidResult? {
    let made = try PendingFile(at: path, replacing: true, sparing: [])
    let layout = try layout(plan, made: made, progress: progress)
    return layout.map { layout in
      LaidResult(
        frames: FrameInstants(layout.frames), end: MediaTime(seconds: layout.length.seconds),
        seams: layout.seams, pieces: layout.pieces, of: file, made: made)
    }
  }
}

extension ResultPictures {
  fileprivate init(_ preview: CutPreview) throws {
    let pictures = try LoopingPictures(preview.track)
    self.init(
      pictures: MediaPictures(
        picture: { time, size, isRestart in
          try pictures.picture(
            at: preview.time(ofSource: time), size: size, isRestart: isRestart)
        },
        prepare: { start, size in
          try pictures.prepare(start: preview.time(ofSource: start), size: size)
        }),
      seams: preview.seams)
    seamsOfResult = preview.seams.compactMap { try? preview.time(ofSource: $0) }
    openResult = { try preview.openResult() }
  }
}
