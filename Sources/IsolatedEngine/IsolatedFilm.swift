public import ExactTime
public import MediaEngine
public import MediaFacts
import TrimCommands
public import Trimming

/// A source that is open for cutting behind a seal: plans are made of it, and executed.
///
/// Input and output are opened by the program, and a result gets its name here, once the sealed process
/// says that it is complete and proven. Not for several threads at once.
public final class IsolatedFilm {
  private let film: any CuttableFilm

  init(_ film: any CuttableFilm) { self.film = film }

  /// What is known of the source, as the probe tells it.
  public var facts: MediaFacts { film.facts }

  /// When each frame is shown, counted from the first presented sample; `nil` without video.
  public var frameStarts: FrameStarts? { film.frameStarts }

  /// What a cut would do: the same file and the same request always give the same plan.
  ///
  /// - Throws: ``CutError`` where it cannot be cut that way.
  public func plan(
    _ request: CutRequest, for container: OutputContainer
  ) throws(CutError) -> CutPlan {
    try film.plan(request, for: container)
  }

  /// The plan for an order, within its limit.
  ///
  /// - Throws: ``CutError``; of code `tooLong` where the limit does not allow its length.
  public func plan(_ order: CutOrder) throws(CutError) -> CutPlan { try film.plan(order) }

  /// Whether a file could be made there, before any work is done.
  ///
  /// - Throws: ``CutError`` where one of that name exists already, or is the source, or its folder is not
  ///   there.
  public func checkPlace(_ path: [UInt8], replaces: Bool = false) throws(CutError) {
    try film.checkPlace(path, replaces: replaces)
  }

  /// Executes a plan into a new file, which appears complete and proven right, or not at all.
  ///
  /// - Parameters:
  ///   - replaces: whether a file of that name is replaced.
  ///   - keepsFailed: whether a file that fails its proof is kept, as `NAME.failed`.
  ///   - progress: called now and then on the calling thread; returns false to cancel.
  /// - Throws: ``CutError``; the destination is as it was then.
  public func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool = false, keepsFailed: Bool = false,
    progress: (CutProgress) -> Bool = { _ in true }
  ) throws(CutError) -> CutReport {
    try film.cut(
      plan, to: path, replaces: replaces, keepsFailed: keepsFailed, progress: progress)
  }

  /// Plans, checks the limit, cuts, verifies and publishes: everything that a cut is.
  ///
  /// - Parameter progress: called now and then on the calling thread; returns false to cancel.
  /// - Throws: ``CutError``; the destination is as it was then.
  public func cut(
    _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
  ) throws(CutError) -> CutReport {
    try film.cut(order, progress: progress)
  }
}
