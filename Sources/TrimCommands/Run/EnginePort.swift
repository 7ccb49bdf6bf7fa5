package import MediaEngine
package import MediaFacts

/// What the commands need of the engine; the tests put hand-made facts in its place.
package struct EnginePort: Sendable {
  package typealias Probe =
    @Sendable (MediaInput, ProbeOptions, (ProbeProgress) -> Bool) throws(ProbeError) -> MediaFacts

  /// Blocking.
  ///
  /// The closure is told how far a scan has come, and cancels by returning false.
  package var probe: Probe

  /// What a command writes of a file, made where the file is read; `nil` where it makes that of the
  /// facts itself.
  var tell: Tell?

  /// Of one file after the other; blocking, and as ``probe`` else.
  typealias TellFacts =
    @Sendable (MediaInput, (ProbeProgress) -> Bool) throws(ProbeError) -> ToldFacts
  /// The number is that of files that are read at a time.
  typealias Tell = @Sendable (ProbeOptions, FactsPage, Int) -> TellFacts?

  /// What is there to read media with; `nil` where nothing is.
  ///
  /// Loads the libraries of FFmpeg.
  var report: @Sendable () -> EngineReport?

  /// Opens a file to plan and cut it, for every command that does; blocking.
  ///
  /// The closure is asked from inside long loops, on any thread.
  package var open: Open

  package typealias Open =
    @Sendable (_ input: MediaInput, _ isCancelled: @escaping @Sendable () -> Bool)
    throws(CutError) -> any CuttableFilm

  /// Opens a file that was probed for its pictures; blocking.
  var pictures: OpenPictures
  /// Makes the cutter of a file.
  var cutter: MakeCutter
  /// Does work of another kind in a sealed process; `nil` where everything is done in this one.
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

  package static let openFile: Open = { (input, isCancelled) throws(CutError) in
    try FileCutter(isCancelled: isCancelled).open(input)
  }

  /// The engine itself.
  ///
  /// - Parameter isCancelled: asked from inside long loops, on any thread.
  static func live(isCancelled: @escaping @Sendable () -> Bool) -> EnginePort {
    let prober = Prober(isCancelled: isCancelled)
    return EnginePort(
      probe: { (input, options, progress) throws(ProbeError) in
        try prober.probe(input, options: options, progress: progress)
      },
      report: { EngineReport.current() },
      pictures: { path, facts, origin in
        try FilmPictures.open(path, facts, origin, isCancelled: isCancelled)
      },
      cutter: { input, container, isInterrupted in
        FilmCutter.live(
          input, container: container, isCancelled: { isCancelled() || isInterrupted() },
          open: openFile)
      })
  }
}
