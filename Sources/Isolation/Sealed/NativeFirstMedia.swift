import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// An MP4 that is open for cutting in this process, and where FFmpeg is needed, which is kept out of this
/// process, in a sealed one too.
///
/// It is planned here, in memory-safe code, with what only FFmpeg knows learned in the sealed process. Copying
/// MP4 into MP4 is also written here and, where no decoding is required, verified.
final class NativeFirstMedia: Cuttable {
  private let native: OpenedFile
  private let openSealed: () throws(MediaError) -> any Cuttable
  private var sealed: (any Cuttable)?

  /// The maximum header size in bytes of a file that is opened here: half an hour of video with
  /// audio.
  ///
  /// Most cuts encode something, and then the header is read again in the sealed process; for a longer file
  /// that costs more than starting a process that may not be needed.
  private static let mostHeaderBytes: Int64 = 2 << 20

  /// - Throws: ``MediaError``.
  static func open(
    _ input: MediaInput, _ file: InputFile, with keeper: EngineKeeper,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> any Cuttable {
    let openSealed = { () throws(MediaError) -> any Cuttable in
      try SealedMedia.open(input, file, with: keeper, isCancelled: isCancelled)
    }
    // What only parts of are read is planned by the process that reads them.
    guard !file.hasIndexedFragments, file.headerByteCount <= mostHeaderBytes else {
      return try openSealed()
    }
    let native: OpenedFile?
    do throws(MediaError) {
      native = try NativeWork.attempt { () throws(MediaError) in
        try FileCutter(isCancelled: isCancelled).open(file)
      }
    } catch {
      throw [file].fetchFault ?? error
    }
    if let fault = [file].fetchFault { throw fault }
    guard let native else { return try openSealed() }
    return NativeFirstMedia(native, openSealed)
  }

  /// Does work in this process.
  ///
  /// - Throws: ``MediaError``: where a file on another machine could not be read, that is the cause of any other.
  private func attempt<Value>(
    _ work: () throws(MediaError) -> Value
  ) throws(MediaError) -> Value? {
    let value: Value?
    do throws(MediaError) {
      value = try NativeWork.attempt(work)
    } catch {
      throw [native.file].fetchFault ?? error
    }
    if let fault = [native.file].fetchFault { throw fault }
    return value
  }

  init(
    _ native: OpenedFile, _ openSealed: @escaping () throws(MediaError) -> any Cuttable
  ) {
    self.native = native
    self.openSealed = openSealed
    native.learnsElsewhere = { [unowned self] (missing) throws(MediaError) in
      try NativeWork.asking { () throws(MediaError) in try media().learn(missing) }
    }
  }

  private func media() throws(MediaError) -> any Cuttable {
    if let sealed { return sealed }
    let opened = try openSealed()
    sealed = opened
    return opened
  }

  var facts: MediaFacts { native.facts }
  var frameStarts: FrameStarts? { native.frameStarts }

  func learn(_ missing: [MissingFact]) throws(MediaError) -> [LearnedFact] {
    try media().learn(missing)
  }

  func identity() throws(MediaError) -> SourceIdentity { try native.identity() }

  /// Planned here, with facts that only FFmpeg knows from the sealed process; a file of several edits, and one
  /// that is joined with itself, is planned there.
  func plan(_ request: CutRequest, for container: OutputContainer) throws(MediaError) -> CutPlan {
    if native.isPlain(for: request),
      let plan = try attempt({ () throws(MediaError) in
        try native.plan(request, for: container)
      })
    {
      return plan
    }
    let plan = try media().plan(request, for: container)
    // It may be written here: how it is verified is not for the sealed process to say.
    guard plan.container == container, plan.request.verification == request.verification else {
      throw EngineFailure.invalidAnswer.mediaError
    }
    return plan
  }

  func expectMedia(of request: CutRequest) { native.expectMedia(of: request) }

  /// Whether a plan only copies into MP4, and its verification decodes nothing.
  private func isWrittenHere(_ plan: CutPlan) throws(MediaError) -> Bool {
    guard plan.container.rules.isISO, plan.tracks.allSatisfy({ $0.encoded == 0 }) else {
      return false
    }
    return try attempt { () throws(MediaError) in try !native.decodesInProof(plan) } ?? false
  }

  func checkPlace(_ path: [UInt8], replaces: Bool) throws(MediaError) {
    try native.checkPlace(path, replaces: replaces)
  }

  func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool, keepsFailed: Bool,
    progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    if try isWrittenHere(plan),
      let report = try attempt({ () throws(MediaError) in
        try native.cut(
          plan, to: path, replaces: replaces, keepsFailed: keepsFailed, progress: progress)
      })
    {
      return report
    }
    return try media().cut(
      plan, to: path, replaces: replaces, keepsFailed: keepsFailed, progress: progress)
  }

  func cut(
    _ plan: CutPlan, into output: PendingFile, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    if try isWrittenHere(plan),
      let report = try attempt({ () throws(MediaError) in
        try native.cut(plan, into: output, progress: progress)
      })
    {
      return report
    }
    try output.empty()
    return try media().cut(plan, into: output, progress: progress)
  }

  func resultPictures(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> ResultPictures {
    try media().resultPictures(plan, beside: path, progress: progress)
  }

  func laidResult(
    _ plan: CutPlan, beside path: [UInt8], progress: (CutProgress) -> Bool
  ) throws(MediaError) -> LaidResult? {
    try media().laidResult(plan, beside: path, progress: progress)
  }
}
