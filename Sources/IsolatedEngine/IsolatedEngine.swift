import Isolation
public import MediaEngine
public import MediaFacts
import Synchronization

/// The engine for programs that open untrusted files: FFmpeg reads them in separate processes, which can
/// access nothing but the files that they are handed.
///
/// Each process is the program itself, started again, so the program's first statement must be
/// ``serveIfAsked()``. MP4 and QuickTime are read in the program's own process where that needs no FFmpeg.
///
/// ```swift
/// IsolatedEngine.serveIfAsked()
/// let engine = IsolatedEngine()
/// let facts = try engine.probe(.file(path: Array("upload.mkv".utf8)))
/// ```
///
/// Every function blocks: call them off the cooperative pool. `SECURITY.md` describes how processes are
/// sealed.
public struct IsolatedEngine: Sendable {
  /// What happens to the work where the system cannot seal a process completely.
  public enum Strictness: Sendable {
    /// It is refused.
    case required
    /// It is done with what the system offers; see ``IsolatedEngine/init(_:isCancelled:note:)``.
    case asFarAsPossible
  }

  private static let isServed = Atomic(false)

  private let processes: SealedProcesses

  /// In a sealed process, does its work and exits; returns at once in any other.
  ///
  /// Must come first in `main`, while the process has one thread and has nothing open that untrusted files
  /// must not reach.
  public static func serveIfAsked() {
    SealedProcesses.serveIfAsked()
    isServed.store(true, ordering: .relaxed)
  }

  /// Creates an engine; its processes are started when they are needed, and end with it.
  ///
  /// - Parameters:
  ///   - isCancelled: called often during the work, on the calling thread; true ends the work with
  ///     `cancelled`.
  ///   - note: called once with a readable line on what the seal lacks on this system.
  public init(
    _ strictness: Strictness = .required,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    processes = SealedProcesses(
      strictness == .required ? .required : .auto, isCancelled: isCancelled, note: note)
  }

  /// What a file states, and what a player presents of it.
  ///
  /// - Parameter progress: called with the progress of a scan, on the calling thread; returns false to
  ///   cancel.
  /// - Throws: ``MediaError``; of code `notIsolated` where no process can be sealed or
  ///   ``serveIfAsked()`` was not called, `timedOut` and `limitExceeded` where the file costs too much.
  public func probe(
    _ input: MediaInput, options: ProbeOptions = ProbeOptions(),
    progress: (ProbeProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> MediaFacts {
    try Self.check()
    return try processes.probe(input, options, progress)
  }

  /// Opens a file for any number of cuts, in a separate process.
  ///
  /// - Throws: ``MediaError``; of code `notIsolated` as for ``probe(_:options:progress:)``.
  public func open(_ input: MediaInput) throws(MediaError) -> IsolatedFile {
    try Self.check()
    return IsolatedFile(try processes.open(input, isInterrupted: { false }))
  }

  /// A program that is started again without serving would do its own work a second time.
  private static func check() throws(MediaError) {
    guard !isServed.load(ordering: .relaxed) else { return }
    throw MediaError(
      .notIsolated, "this program cannot be started as a sealed process",
      hint: "Call IsolatedEngine.serveIfAsked() at the very beginning of main.")
  }
}
