package import ExactTime
package import JSON
package import MediaEngine
package import MediaFacts

/// The engine in sealed processes.
///
/// Whatever FFmpeg has to read goes to processes that can only access the descriptors passed to them. An
/// MP4 whose header contains everything is read in this process.
package struct SealedProcesses: Sendable {
  private let isolation: Isolation
  private let keeper: EngineKeeper
  private let prober: Prober
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - isCancelled: called while a process works, on the calling thread.
  ///   - note: called once with what the seal lacks, as a human-readable line.
  package init(
    _ isolation: Isolation, isCancelled: @escaping @Sendable () -> Bool,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.isolation = isolation
    self.isCancelled = isCancelled
    keeper = EngineKeeper(isolation, note: note)
    prober = Prober(isCancelled: isCancelled)
  }

  /// If this process was started as a sealed process, does that work and ends it; must be called first,
  /// while there is only one thread.
  package static func serveIfAsked(_ operations: SealedOperations = SealedOperations()) {
    EngineLoop.runIfAsked(ProcessArguments.all, operations)
  }

  /// Announces that this many processes will be needed soon, so that they share one load of FFmpeg.
  package func expect(_ count: Int) { keeper.expect(count) }

  /// How the facts of a file were read.
  package enum Reading: Sendable {
    case here(MediaFacts)
    /// What an operation answered; untrusted.
    case sealed(SealedAnswer)
  }

  /// The facts of a file; blocking.
  package func probe(
    _ input: MediaInput, _ options: ProbeOptions, _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> MediaFacts {
    let arguments: JSONValue
    do throws(EngineFailure) {
      arguments = try EngineProcess.encoded(CodedProbeOptions(options))
    } catch {
      throw error.mediaError
    }
    switch try read(input, options, .engine(.probe), arguments, progress) {
    case .here(let facts): return facts
    case .sealed(let answer):
      do throws(EngineFailure) {
        return try EngineProcess.decoded(answer.value)
      } catch {
        throw error.mediaError
      }
    }
  }

  /// Reads a file here where that needs no FFmpeg or no process is available; otherwise an added operation
  /// reads it.
  ///
  /// Blocking.
  package func read(
    _ input: MediaInput, _ options: ProbeOptions, by operation: String, _ arguments: JSONValue,
    _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> Reading {
    try read(input, options, .added(operation), arguments, progress)
  }

  private func read(
    _ input: MediaInput, _ options: ProbeOptions, _ operation: RequestedOperation,
    _ arguments: JSONValue, _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> Reading {
    let file = try prober.open(input, options, progress)
    do throws(MediaError) {
      let reading = try read(file, input, options, operation, arguments, progress)
      try file.checkFetched()
      return reading
    } catch {
      throw file.remoteFault ?? error
    }
  }

  private func read(
    _ file: InputFile, _ input: MediaInput, _ options: ProbeOptions,
    _ operation: RequestedOperation, _ arguments: JSONValue, _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> Reading {
    if let facts = try prober.factsWithoutFFmpeg(of: file, options: options) { return .here(facts) }
    return try keeper.lend { process throws(MediaError) in
      guard let process else {
        return .here(try prober.facts(of: file, options: options, progress: progress))
      }
      let handed = try file.handedOver()
      defer { withExtendedLifetime(handed) {} }
      do throws(EngineFailure) {
        let answer = try withoutActuallyEscaping(progress) { (progress) throws(EngineFailure) in
          try process.perform(
            EngineProcess.Request(
              operation: operation, arguments: arguments, files: EngineFiles(input, file),
              descriptors: [handed.descriptor],
              limit: options.timeout
                ?? Limits.standard.time(forBytes: file.byteCount, isRemote: file.isRemote),
              isCancelled: isCancelled,
              progress: { done, total in
                progress(ProbeProgress(bytesDone: done, bytesTotal: total))
              }))
        }
        return .sealed(SealedAnswer(answer.head, answer.body))
      } catch {
        throw error.mediaError
      }
    }
  }

  /// Opens a file for planning and cutting; blocking.
  ///
  /// - Parameter isInterrupted: called from inside long loops, on any thread.
  package func open(
    _ input: MediaInput, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> any Cuttable {
    let file = try prober.open(input, ProbeOptions(), remembers: true) { _ in !isInterrupted() }
    let isCancelled = { @Sendable [isCancelled] in isCancelled() || isInterrupted() }
    return isolation == .required
      ? try SealedMedia.open(input, file, with: keeper, isCancelled: isCancelled)
      : try NativeFirstMedia.open(input, file, with: keeper, isCancelled: isCancelled)
  }

  /// Opens several files, to plan and write one from parts of them; blocking.
  ///
  /// - Parameter isInterrupted: called from inside long loops, on any thread.
  /// - Throws: ``MediaError``; its `source` says which of the files it is about.
  package func join(
    _ inputs: [MediaInput], isInterrupted: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> any Cuttable {
    guard inputs.count > 1 else { return try open(inputs[0], isInterrupted: isInterrupted) }
    let isCancelled = { @Sendable [isCancelled] in isCancelled() || isInterrupted() }
    var files: [(input: MediaInput, file: InputFile)] = []
    for (number, input) in inputs.enumerated() {
      do throws(MediaError) {
        files.append(
          (input, try prober.open(input, ProbeOptions(), remembers: true) { _ in !isCancelled() }))
      } catch {
        var named = error
        named.source = number
        throw named
      }
    }
    return try SealedMedia.open(
      files[0].input, files[0].file,
      joining: files.dropFirst().map { ($0.input.nameBytes, $0.file) }, with: keeper,
      isCancelled: isCancelled)
  }

  /// Opens an already probed file for its pictures; `nil` if no process is available.
  ///
  /// Blocking.
  package func pictures(
    of path: [UInt8], _ facts: MediaFacts, origin: MediaTime
  ) throws -> MediaPictures? {
    try SealedPictures.open(path, facts, origin, with: keeper, isCancelled: isCancelled)
  }

  /// Performs an added operation on a file; blocking.
  ///
  /// - Parameters:
  ///   - pixels: the pixel count of the largest picture that it handles.
  ///   - isCancelled: called during the work, on the calling thread.
  ///   - progress: the same, with what the operation reports.
  /// - Returns: `nil` if no process is available, and the work must be done in this one.
  package func perform(
    _ operation: String, _ arguments: JSONValue, on path: [UInt8], pixels: Int64,
    isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in }
  ) throws(EngineFailure) -> SealedAnswer? {
    let files: OpenedFiles
    let handed: [HandedInput]
    do throws(MediaError) {
      files = try OpenedFiles(input: path, output: nil, replacing: false)
      handed = try files.handedInputs()
    } catch {
      throw EngineFailure(error)
    }
    defer { withExtendedLifetime(handed) {} }
    guard let process = try keeper.startOne() else { return nil }
    process.allowMemory(forPixels: pixels)
    do throws(EngineFailure) {
      let answer = try process.perform(
        EngineProcess.Request(
          operation: .added(operation), arguments: arguments,
          files: EngineFiles(input: path, byteCount: files.byteCount),
          descriptors: handed.map(\.descriptor) + files.outputDescriptors,
          isCancelled: isCancelled,
          progress: { done, total in
            progress(done, total)
            return true
          }))
      if let fault = files.remoteFault { throw EngineFailure(fault) }
      return SealedAnswer(answer.head, answer.body)
    } catch {
      throw files.remoteFault.map { EngineFailure($0) } ?? error
    }
  }
}
