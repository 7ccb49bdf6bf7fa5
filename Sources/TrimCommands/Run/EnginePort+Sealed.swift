package import Isolation
import JSON
import MediaEngine
import MediaFacts

extension EnginePort {
  /// The sealed engine.
  ///
  /// - Parameters:
  ///   - isCancelled: called while a process works, on the calling thread.
  ///   - note: called once with what the seal lacks, as a human-readable line.
  package static func sealed(
    as isolation: Isolation, isCancelled: @escaping @Sendable () -> Bool,
    note: @escaping @Sendable (String) -> Void
  ) -> EnginePort {
    let own = EnginePort.live(isCancelled: isCancelled)
    guard isolation != .off else { return own }
    let sealed = SealedProcesses(isolation, isCancelled: isCancelled, note: note)
    let open: Open = { (input, isInterrupted) throws(MediaError) in
      try sealed.open(input, isInterrupted: isInterrupted)
    }
    var port = EnginePort(
      probe: { (input, options, progress) throws(MediaError) in
        try sealed.probe(input, options, progress)
      },
      report: own.report,
      pictures: { path, facts, origin in
        try sealed.pictures(of: path, facts, origin: origin) ?? own.pictures(path, facts, origin)
      },
      cutter: { input, container, isInterrupted in
        MediaCutter.live(
          input, container: container, isCancelled: { isCancelled() || isInterrupted() },
          open: open)
      },
      open: open)
    port.join = { (inputs, isInterrupted) throws(MediaError) in
      try sealed.join(inputs, isInterrupted: isInterrupted)
    }
    port.reportFacts = { options, page, count in
      sealed.expect(count)
      guard let arguments = try? JSONValue.encoded(FactsReport(options, page)) else { return nil }
      return { (input, progress) throws(MediaError) in
        switch try sealed.read(input, options, by: FactsReport.operation, arguments, progress) {
        case .here(let facts): return page.reported(facts, of: input)
        case .sealed(let answer): return try page.reported(answer)
        }
      }
    }
    port.remote = { (work) throws(EngineFailure) in
      try sealed.perform(
        work.kind.rawValue, work.arguments, on: work.path, pixels: work.pixels,
        isCancelled: work.isCancelled,
        progress: { work.progress(CutProgress(done: max(0, $0), total: max(1, $1 ?? 1))) })
    }
    return port
  }
}
