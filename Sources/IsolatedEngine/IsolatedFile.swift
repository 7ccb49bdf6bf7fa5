public import ExactTime
import Isolation
public import MediaEngine
public import MediaFacts
public import Trimming

/// A source that is open for cutting in a sealed process: it makes plans and executes them.
///
/// The program opens input and output, and names the result once the sealed process reports that it is
/// complete and verified. Not for use by several threads at once.
public final class IsolatedFile {
  private let file: any Cuttable

  init(_ file: any Cuttable) { self.file = file }

  /// What is known about the source, as reported by the probe.
  public var facts: MediaFacts { file.facts }

  /// When each frame is shown, counted from the first presented sample; `nil` without video.
  public var frameStarts: FrameStarts? { file.frameStarts }

  /// What a cut would do: the same file and the same request always give the same plan.
  ///
  /// - Throws: ``MediaError`` where the source cannot be cut that way.
  public func plan(
    _ request: CutRequest, for container: OutputContainer
  ) throws(MediaError) -> CutPlan {
    try file.plan(request, for: container)
  }

  /// The plan for an order, within the order's limit.
  ///
  /// - Throws: ``MediaError``; of code `tooLong` where the limit does not allow its length.
  public func plan(_ order: CutOrder) throws(MediaError) -> CutPlan { try file.plan(order) }

  /// Checks whether a file could be created at a path, before any work is done.
  ///
  /// - Throws: ``MediaError`` where the file exists already or is the source, or its folder does not exist.
  public func checkPlace(_ path: [UInt8], replaces: Bool = false) throws(MediaError) {
    try file.checkPlace(path, replaces: replaces)
  }

  /// Executes a plan into a new file, which appears complete and verified, or not at all.
  ///
  /// - Parameters:
  ///   - replaces: whether a file of that name is replaced.
  ///   - keepsFailed: whether a file that fails verification is kept, as `NAME.failed`.
  ///   - progress: called periodically on the calling thread; returns false to cancel.
  /// - Throws: ``MediaError``; the destination is then unchanged.
  public func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool = false, keepsFailed: Bool = false,
    progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutReport {
    try file.cut(
      plan, to: path, replaces: replaces, keepsFailed: keepsFailed, progress: progress)
  }

  /// Plans, checks the limit, cuts, verifies and publishes: a complete cut.
  ///
  /// - Parameter progress: called periodically on the calling thread; returns false to cancel.
  /// - Throws: ``MediaError``; the destination is then unchanged.
  public func cut(
    _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutReport {
    try file.cut(order, progress: progress)
  }
}
