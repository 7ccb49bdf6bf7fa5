import ExactTime
import Glibc
import JSON
import MediaEngine
import MediaFacts
import Synchronization
import Trimming

/// A file that is open for cutting in a sealed process.
///
/// Input and output are opened here, and an output gets its name here, once the process reports that it is
/// complete and verified.
final class SealedMedia: Cuttable, Sendable {
  let facts: MediaFacts
  /// The first of the files, and the others that are joined with it.
  private let file: InputFile
  private let others: [InputFile]
  private let process: EngineProcess
  private let isCancelled: @Sendable () -> Bool
  /// The plan of the last layout, whose encoded edges the process keeps.
  private let laid = Mutex<CutPlan?>(nil)

  /// - Parameter others: further files, which are joined with the first.
  /// - Throws: ``MediaError``.
  static func open(
    _ input: MediaInput, _ file: InputFile, joining others: [(name: [UInt8], file: InputFile)] = [],
    with keeper: EngineKeeper, isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> any Cuttable {
    do throws(EngineFailure) {
      guard let process = try keeper.startOne() else {
        return try Self.unsealed(
          file, [input] + others.map { .file(path: $0.name) }, isCancelled)
      }
      var files = EngineFiles(input, file)
      files.others = others.map { EngineFiles.Other(name: $0.name, byteCount: $0.file.byteCount) }
      let scratch = TemporaryFiles()
      let handed = try handedOver([file] + others.map(\.file))
      defer { withExtendedLifetime(handed) {} }
      let answer = try process.perform(
        EngineProcess.Request(
          operation: .engine(.open),
          arguments: try EngineProcess.encoded(EngineArguments.Nothing()),
          files: files,
          descriptors: handed.map(\.descriptor) + scratch.descriptors,
          isCancelled: isCancelled))
      let opened: EngineResults.Opened = try EngineProcess.decoded(answer.head)
      return SealedMedia(opened, file, others.map(\.file), process, isCancelled)
    } catch {
      throw ([file] + others.map(\.file)).fetchFault ?? error.mediaError
    }
  }

  private static func handedOver(_ files: [InputFile]) throws(EngineFailure) -> [HandedInput] {
    do throws(MediaError) {
      var handed: [HandedInput] = []
      for file in files { handed.append(try file.handedOver()) }
      return handed
    } catch {
      throw EngineFailure(error)
    }
  }

  private static func unsealed(
    _ file: InputFile, _ inputs: [MediaInput], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(EngineFailure) -> any Cuttable {
    do throws(MediaError) {
      let cutter = FileCutter(isCancelled: isCancelled)
      return try inputs.count == 1 ? cutter.open(file) : cutter.open(inputs)
    } catch {
      throw EngineFailure(error)
    }
  }

  private init(
    _ opened: EngineResults.Opened, _ file: InputFile, _ others: [InputFile],
    _ process: EngineProcess,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    facts = opened.facts
    self.file = file
    self.others = others
    self.process = process
    self.isCancelled = isCancelled
    process.allowMemory(forPixels: opened.mostPixels)
  }

  private func ask<Result: Decodable>(
    _ operation: EngineOperation, _ arguments: some Encodable
  ) throws(MediaError) -> Result {
    try decoded(answer(operation, arguments).head)
  }

  private func decoded<Result: Decodable>(_ head: JSONValue) throws(MediaError) -> Result {
    do throws(EngineFailure) {
      return try EngineProcess.decoded(head)
    } catch {
      throw error.mediaError
    }
  }

  private func answer(
    _ operation: EngineOperation, _ arguments: some Encodable, files: EngineFiles = EngineFiles(),
    descriptors: [Int32] = [], progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> EngineMessage {
    do throws(EngineFailure) {
      let answer = try withoutActuallyEscaping(progress) {
        (progress) throws(EngineFailure) -> EngineMessage in
        try process.perform(
          EngineProcess.Request(
            operation: .engine(operation), arguments: try EngineProcess.encoded(arguments),
            files: files,
            descriptors: descriptors, isCancelled: isCancelled,
            progress: { done, total in
              progress(CutProgress(done: max(0, done), total: max(1, total ?? 1)))
            }))
      }
      if let fault = ([file] + others).fetchFault { throw EngineFailure(fault) }
      return answer
    } catch {
      throw ([file] + others).fetchFault ?? error.mediaError
    }
  }

  var frameStarts: FrameStarts? {
    let found: EngineResults.Frames? = try? ask(.frames, EngineArguments.Nothing())
    return found?.frameStarts
  }

  func learn(_ missing: [MissingFact]) throws(MediaError) -> [LearnedFact] {
    let learned: EngineResults.Learned = try ask(.learn, EngineArguments.Learn(missing: missing))
    return learned.facts
  }

  func identity() throws(MediaError) -> SourceIdentity {
    try ask(.identity, EngineArguments.Nothing())
  }

  func plan(_ request: CutRequest, for container: OutputContainer) throws(MediaError) -> CutPlan {
    try plan(request, for: container, isExecuted: false)
  }

  private func plan(
    _ request: CutRequest, for container: OutputContainer, isExecuted: Bool
  ) throws(MediaError) -> CutPlan {
    let known = laid.withLock { $0 }
    if let known, known.request == request, known.container == container { return known }
    return try ask(
      .plan,
      EngineArguments.Plan(request: request, container: container, isExecuted: isExecuted))
  }

  func plan(_ order: CutOrder) throws(MediaError) -> CutPlan {
    let plan = try plan(
      order.request, for: order.statedContainer(), isExecuted: order.isExecuted)
    try order.checkLength(of: plan)
    return plan
  }

  func checkPlace(_ path: [UInt8], replaces: Bool) throws(MediaError) {
    try OutputPlace.check(
      path, replacing: replaces, sparing: ([file] + others).map(\.fileIdentity))
  }

  func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool, keepsFailed: Bool,
    progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    let output = try place(path, replaces: replaces)
    let report: CutReport
    do throws(MediaError) {
      report = try cut(plan, into: output, progress: progress)
    } catch {
      if keepsFailed { error.keepFailed(output, of: path) }
      throw error
    }
    try output.publish()
    return report
  }

  func cut(
    _ plan: CutPlan, into output: PendingFile, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    let report: CutReport = try decoded(execute(plan, as: .cut, into: output, progress).head)
    for file in [file] + others { try file.checkUnchanged() }
    return report
  }

  /// Sends a plan, and the open file that receives what comes of it.
  private func execute(
    _ plan: CutPlan, as operation: EngineOperation, into output: PendingFile,
    _ progress: (CutProgress) -> Bool
  ) throws(MediaError) -> EngineMessage {
    let scratch = try TemporaryFiles(beside: output)
    return try answer(
      operation, EngineArguments.Cut(plan: plan),
      files: EngineFiles(output: EngineServer.outputName),
      descriptors: [output.descriptor] + scratch.descriptors, progress: progress)
  }

  func resultPictures(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> ResultPictures {
    // The output never gets a name.
    let output = try place(path, replaces: true)
    let made: EngineResults.Preview = try decoded(
      execute(plan, as: .preview, into: output, progress).head)
    var result = ResultPictures(
      pictures: MediaPictures(previewedIn: process, isCancelled: isCancelled), seams: made.seams)
    result.seamsOfResult = made.seamsOfResult
    result.openResult = {
      let copy = fcntl(output.descriptor, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else {
        throw VideoFailure("The result cannot be read: \(systemText(errno))")
      }
      return copy
    }
    return result
  }

  func laidResult(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> LaidResult? {
    // The output never gets a name.
    let output = try place(path, replaces: true)
    let answer = try execute(plan, as: .layout, into: output, progress)
    let layout: EngineResults.Layout? = try decoded(answer.head)
    guard let layout else { return nil }
    guard
      let pieces = [CutLayout.Piece](
        answer.body, source: file.byteCount ?? 0, made: output.byteCount)
    else { throw MediaError(.internalError, "the sealed process sent an invalid layout") }
    var result = LaidResult(
      frames: layout.frames, end: layout.end, seams: layout.seams, pieces: pieces, of: file,
      made: output)
    laid.withLock { $0 = plan }
    result.media = self
    return result
  }

  private func place(_ path: [UInt8], replaces: Bool) throws(MediaError) -> PendingFile {
    try PendingFile(
      at: path, replacing: replaces, sparing: ([file] + others).map(\.fileIdentity))
  }
}

extension [InputFile] {
  /// Why a file on another machine could not be read, with its number where there are several.
  var fetchFault: MediaError? {
    for (number, file) in enumerated() {
      guard var error = file.remoteFault else { continue }
      if count > 1 { error.source = number }
      return error
    }
    return nil
  }
}

extension MediaPictures {
  /// The pictures of a previewed cut, from the process that made it.
  init(previewedIn process: EngineProcess, isCancelled: @escaping @Sendable () -> Bool) {
    self.init(
      picture: { time, size, isRestart in
        do throws(EngineFailure) {
          return try process.picture(
            EngineArguments.Picture(time: time, size: size, isRestart: isRestart),
            isCancelled: isCancelled)
        } catch {
          throw error.mediaError
        }
      },
      prepare: { start, size in
        do throws(EngineFailure) {
          _ = try process.perform(
            .prepare, EngineArguments.Picture(time: start, size: size), isCancelled: isCancelled)
        } catch {
          throw error.mediaError
        }
      })
  }
}
