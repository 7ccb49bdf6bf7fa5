public import MediaEngine
public import MediaFacts
import Synchronization
import TrimCommands

/// The engine for programs that open files of others: FFmpeg reads them in processes of its own, which
/// reach nothing but the files that they are handed.
///
/// A process is the program itself, started again; so the program's first statement is
/// ``serveIfAsked()``. MP4 and QuickTime are read in the program's own process where that needs no
/// FFmpeg.
///
/// ```swift
/// IsolatedEngine.serveIfAsked()
/// let engine = IsolatedEngine()
/// let facts = try engine.probe(.file(path: Array("upload.mkv".utf8)))
/// ```
///
/// Every function blocks: call them off the cooperative pool. `SECURITY.md` says what the seal is made
/// of.
public struct IsolatedEngine: Sendable {
  /// What becomes of the work where the system cannot seal a process completely.
  public enum Strictness: Sendable {
    /// It is refused.
    case required
    /// It is done with what the system has; see ``IsolatedEngine/init(_:isCancelled:note:)``.
    case asFarAsPossible
  }

  private static let isServed = Atomic(false)

  private let port: EnginePort

  /// Does the work of a sealed process, and ends it, where this is one; returns at once where it is
  /// not.
  ///
  /// Must come first in `main`, while the process has one thread and nothing open that files of others
  /// must not reach.
  public static func serveIfAsked() {
    CommandLineTool.serveEngineIfAsked()
    isServed.store(true, ordering: .relaxed)
  }

  /// Creates an engine; its processes are started when they are needed, and end with it.
  ///
  /// - Parameters:
  ///   - isCancelled: asked often while it works, on the calling thread; true ends the work with
  ///     `cancelled`.
  ///   - note: told once, in a line for people, what the seal lacks on this system.
  public init(
    _ strictness: Strictness = .required,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    port = .sealed(
      as: strictness == .required ? .required : .auto, isCancelled: isCancelled, note: note)
  }

  /// What a file says, and what a player presents of it.
  ///
  /// - Parameter progress: told how far a scan has come, on the calling thread; returns false to cancel.
  /// - Throws: ``ProbeError``; of code `notIsolated` where no process can be sealed or
  ///   ``serveIfAsked()`` was not called, `timedOut` and `limitExceeded` where the file costs too much.
  public func probe(
    _ input: MediaInput, options: ProbeOptions = ProbeOptions(),
    progress: (ProbeProgress) -> Bool = { _ in true }
  ) throws(ProbeError) -> MediaFacts {
    try Self.check()
    return try port.probe(input, options, progress)
  }

  /// Opens a file for as many cuts as are wanted, in a process of its own.
  ///
  /// - Throws: ``CutError``; of code `notIsolated` as ``probe(_:options:progress:)``.
  public func open(_ input: MediaInput) throws(CutError) -> IsolatedFilm {
    do throws(ProbeError) { try Self.check() } catch { throw CutError(error) }
    return IsolatedFilm(try port.open(input, { false }))
  }

  /// A program that is started again and does not serve would do its own work a second time.
  private static func check() throws(ProbeError) {
    guard !isServed.load(ordering: .relaxed) else { return }
    throw ProbeError(
      .notIsolated, "this program cannot be started as a sealed process",
      hint: "Call IsolatedEngine.serveIfAsked() at the very beginning of main.")
  }
}
