package import Isolation
package import MediaEngine
package import MediaFacts

/// What the commands need from the engine; tests substitute hand-made facts.
package struct EnginePort: Sendable {
  package typealias Probe =
    @Sendable (MediaInput, ProbeOptions, (ProbeProgress) -> Bool) throws(MediaError) -> MediaFacts

  /// Blocking.
  ///
  /// The closure receives the progress of a scan, and cancels by returning false.
  package var probe: Probe

  /// Produces a command's output for a file where the file is read; `nil` where the command builds
  /// it from the facts itself.
  var reportFacts: FactsReporter?

  /// Reports on one file after another; blocking, otherwise like ``probe``.
  typealias ReportFacts =
    @Sendable (MediaInput, (ProbeProgress) -> Bool) throws(MediaError) -> ReportedFacts
  /// The number is how many files are read at a time.
  typealias FactsReporter = @Sendable (ProbeOptions, FactsPage, Int) -> ReportFacts?

  /// What is available to read media with; `nil` if nothing is.
  ///
  /// Loads the FFmpeg libraries.
  var report: @Sendable () -> EngineReport?

  /// Opens a file for planning and cutting; blocking.
  ///
  /// The closure is called from inside long loops, on any thread.
  package var open: Open

  /// Opens several files, to plan and write one from parts of them; blocking, like ``open``.
  package var join: Join = EnginePort.joinFiles

  package typealias Join =
    @Sendable (_ inputs: [MediaInput], _ isCancelled: @escaping @Sendable () -> Bool)
    throws(MediaError) -> any Cuttable

  package static let joinFiles: Join = { (inputs, isCancelled) throws(MediaError) in
    try FileCutter(isCancelled: isCancelled).open(inputs)
  }

  package typealias Open =
    @Sendable (_ input: MediaInput, _ isCancelled: @escaping @Sendable () -> Bool)
    throws(MediaError) -> any Cuttable

  /// Opens an already probed file for its pictures; blocking.
  var pictures: OpenPictures
  /// Creates the cutter of a file.
  var cutter: MakeCutter
  /// Performs other kinds of work in a sealed process; `nil` where everything is done in this one.
  var remote: RemoteWork.Port?

  package init(
    probe: @escaping Probe, report: @escaping @Sendable () -> EngineReport? = { nil },
    pictures: @escaping OpenPictures = { _, _, _ in nil },
    cutter: @escaping MakeCutter = { _, _, _ in nil },
    open: @escaping Open = EnginePort.openFile
  ) {
    self.probe = probe
    self.report = report
    self.pictures = pictures
    self.cutter = cutter
    self.open = open
  }

  package static let openFile: Open = { (input, isCancelled) throws(MediaError) in
    try FileCutter(isCancelled: isCancelled).open(input)
  }

  /// The engine itself.
  ///
  /// - Parameter isCancelled: called from inside long loops, on any thread.
  static func live(isCancelled: @escaping @Sendable () -> Bool) -> EnginePort {
    let prober = Prober(isCancelled: isCancelled)
    return EnginePort(
      probe: { (input, options, progress) throws(MediaError) in
        try prober.probe(input, options: options, progress: progress)
      },
      report: { EngineReport.current() },
      pictures: { path, facts, origin in
        try MediaPictures.open(path, facts, origin, isCancelled: isCancelled)
      },
      cutter: { input, container, isInterrupted in
        MediaCutter.live(
          input, container: container, isCancelled: { isCancelled() || isInterrupted() },
          open: openFile)
      })
  }
}
