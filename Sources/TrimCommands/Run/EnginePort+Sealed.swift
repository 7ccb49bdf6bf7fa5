import CommandLineKit
import MediaEngine
import MediaFacts
import Trimming

extension EnginePort {
  /// The sealed engine.
  ///
  /// Whatever FFmpeg has to read goes to processes that can only access the descriptors passed to them. An
  /// MP4 whose header contains everything is read in this process.
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
    let keeper = EngineKeeper(isolation, note: note)
    let prober = Prober(isCancelled: isCancelled)
    let open: Open = { (input, isInterrupted) throws(CutError) in
      let file: InputFile
      do throws(ProbeError) {
        file = try prober.open(input, ProbeOptions(), remembers: true) { _ in !isInterrupted() }
      } catch {
        throw CutError(error)
      }
      let isCancelled = { @Sendable in isCancelled() || isInterrupted() }
      return isolation == .required
        ? try SealedMedia.open(input, file, with: keeper, isCancelled: isCancelled)
        : try NativeFirstMedia.open(input, file, with: keeper, isCancelled: isCancelled)
    }
    var port = EnginePort(
      probe: { (input, options, progress) throws(ProbeError) in
        let file = try prober.open(input, options, progress)
        if let facts = try prober.factsWithoutFFmpeg(of: file, options: options) { return facts }
        return try keeper.lend { process throws(ProbeError) in
          guard let process else {
            return try prober.facts(of: file, options: options, progress: progress)
          }
          do throws(EngineFailure) {
            let answer = try process.probed(
              file, as: input, EngineProcess.encoded(EngineArguments.Probe(options)),
              options.timeout, isCancelled: isCancelled, progress: progress)
            return try EngineProcess.decoded(answer.head)
          } catch {
            throw error.probeError
          }
        }
      },
      report: own.report,
      pictures: { path, facts, origin in
        try SealedPictures.open(path, facts, origin, with: keeper, isCancelled: isCancelled)
          ?? own.pictures(path, facts, origin)
      },
      cutter: { input, container, isInterrupted in
        MediaCutter.live(
          input, container: container, isCancelled: { isCancelled() || isInterrupted() },
          open: open)
      },
      open: open)
    port.tell = { options, page, count in
      keeper.expect(count)
      guard let arguments = try? JSONValue.encoded(EngineArguments.Probe(options, page: page))
      else { return nil }
      return { (input, progress) throws(ProbeError) in
        let file = try prober.open(input, options, progress)
        if let facts = try prober.factsWithoutFFmpeg(of: file, options: options) {
          return page.told(facts, of: input)
        }
        return try keeper.lend { process throws(ProbeError) in
          guard let process else {
            let facts = try prober.facts(of: file, options: options, progress: progress)
            return page.told(facts, of: input)
          }
          do throws(EngineFailure) {
            let answer = try process.probed(
              file, as: input, arguments, options.timeout, isCancelled: isCancelled,
              progress: progress)
            return try answer.told(as: page)
          } catch {
            throw error.probeError
          }
        }
      }
    }
    port.remote = { (work) throws(EngineFailure) in
      try keeper.perform(work)
    }
    return port
  }
}

extension EngineProcess {
  /// The result of probing an open file.
  fileprivate func probed(
    _ file: InputFile, as input: MediaInput, _ arguments: JSONValue, _ timeout: Duration?,
    isCancelled: @escaping () -> Bool, progress: (ProbeProgress) -> Bool
  ) throws(EngineFailure) -> EngineMessage {
    try withoutActuallyEscaping(progress) { (progress) throws(EngineFailure) in
      try perform(
        Request(
          operation: .probe, arguments: arguments, files: EngineFiles(input, file),
          descriptors: [file.descriptorToHandOver],
          limit: timeout ?? Limits.standard.time(forBytes: file.byteCount),
          isCancelled: isCancelled,
          progress: { done, total in
            progress(ProbeProgress(bytesDone: done, bytesTotal: total))
          }))
    }
  }
}

extension EngineMessage {
  /// Checks what a process has reported about a file.
  fileprivate func told(as page: FactsPage) throws(EngineFailure) -> ToldFacts {
    guard let status = head["status"]?.exactInteger.flatMap(Int32.init(exactly:)),
      let told = page.admitted(ToldFacts(status: ExitStatus(code: status), bytes: body))
    else { throw EngineProcess.invalidAnswer }
    return told
  }
}

extension EngineKeeper {
  /// Performs other kinds of work in a separate process.
  fileprivate func perform(_ work: RemoteWork) throws(EngineFailure) -> RemoteWork.Result? {
    let files: OpenedFiles
    do throws(CutError) {
      files = try OpenedFiles(input: work.path, output: nil, replacing: false)
    } catch {
      throw EngineFailure(error)
    }
    guard let process = try startOne() else { return nil }
    process.allowMemory(forPixels: work.pixels)
    let answer = try process.perform(
      EngineProcess.Request(
        operation: .draw, arguments: work.arguments, files: EngineFiles(input: work.path),
        descriptors: files.descriptors, isCancelled: work.isCancelled))
    return RemoteWork.Result(value: answer.head, bytes: answer.body)
  }

  func startOne() throws(EngineFailure) -> EngineProcess? {
    do throws(ProbeError) {
      return try start()
    } catch {
      throw EngineFailure(error)
    }
  }
}
