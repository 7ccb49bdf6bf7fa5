import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// A file that is open for cutting in this process as long as FFmpeg, which is kept out of this process, is
/// not needed, and from then on in a sealed one.
///
/// Copying MP4 into MP4 does not need it: this is planned, written and, where no decoding is required,
/// verified in memory-safe code.
final class NativeFirstMedia: Cuttable {
  private let native: OpenedFile
  private let openSealed: () throws(CutError) -> any Cuttable
  private var sealed: (any Cuttable)?

  /// The maximum header size in bytes of a file that is opened here: half an hour of video with
  /// audio.
  ///
  /// Most cuts encode something, and then the header is read again in the sealed process; for a longer file
  /// that costs more than starting a process that may not be needed.
  private static let mostHeaderBytes: Int64 = 2 << 20

  /// - Throws: ``CutError``.
  static func open(
    _ input: MediaInput, _ file: InputFile, with keeper: EngineKeeper,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(CutError) -> any Cuttable {
    let openSealed = { () throws(CutError) -> any Cuttable in
      try SealedMedia.open(input, file, with: keeper, isCancelled: isCancelled)
    }
    guard file.headerByteCount <= mostHeaderBytes else {
      return try openSealed()
    }
    let native: OpenedFile?
    do throws(CutError) {
      native = try NativeWork.attempt { () throws(CutError) in
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
  /// - Throws: ``CutError``: where a file on another machine could not be read, that is the cause of any other.
  private func attempt<Value>(
    _ work: () throws(CutError) -> Value
  ) throws(CutError) -> Value? {
    let value: Value?
    do throws(CutError) {
      value = try NativeWork.attempt(work)
    } catch {
      throw [native.file].fetchFault ?? error
    }
    if let fault = [native.file].fetchFault { throw fault }
    return value
  }

  private init(
    _ native: OpenedFile, _ openSealed: @escaping () throws(CutError) -> any Cuttable
  ) {
    self.native = native
    self.openSealed = openSealed
  }

  private func media() throws(CutError) -> any Cuttable {
    if let sealed { return sealed }
    let opened = try openSealed()
    sealed = opened
    return opened
  }

  var facts: MediaFacts { native.facts }
  var frameStarts: FrameStarts? { native.frameStarts }

  func identity() throws(CutError) -> SourceIdentity { try native.identity() }

  func plan(_ request: CutRequest, for container: OutputContainer) throws(CutError) -> CutPlan {
    if sealed == nil,
      let plan = try attempt({ () throws(CutError) in
        try native.plan(request, for: container)
      })
    {
      return plan
    }
    return try media().plan(request, for: container)
  }

  func plan(_ order: CutOrder) throws(CutError) -> CutPlan {
    if sealed == nil, order.isExecuted { native.expectMedia(of: order.request) }
    let plan = try plan(order.request, for: order.statedContainer())
    try order.checkLength(of: plan)
    return plan
  }

  func checkPlace(_ path: [UInt8], replaces: Bool) throws(CutError) {
    try native.checkPlace(path, replaces: replaces)
  }

  func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool, keepsFailed: Bool,
    progress: (CutProgress) -> Bool
  ) throws(CutError) -> CutReport {
    if sealed == nil,
      let report = try attempt({ () throws(CutError) -> CutReport? in
        if try native.decodesInProof(plan) { return nil }
        return try native.cut(
          plan, to: path, replaces: replaces, keepsFailed: keepsFailed, progress: progress)
      }) ?? nil
    {
      return report
    }
    return try media().cut(
      plan, to: path, replaces: replaces, keepsFailed: keepsFailed, progress: progress)
  }

  func cut(
    _ plan: CutPlan, into output: PendingFile, progress: (CutProgress) -> Bool
  ) throws(CutError) -> CutReport {
    if sealed == nil,
      let report = try attempt({ () throws(CutError) -> CutReport? in
        if try native.decodesInProof(plan) { return nil }
        return try native.cut(plan, into: output, progress: progress)
      }) ?? nil
    {
      return report
    }
    do throws(PublishingError) {
      try output.empty()
    } catch {
      throw CutError(error)
    }
    return try media().cut(plan, into: output, progress: progress)
  }

  func resultPictures(
    _ order: CutOrder, progress: (CutProgress) -> Bool
  ) throws(CutError) -> ResultPictures {
    try media().resultPictures(order, progress: progress)
  }

  func laidResult(
    _ order: CutOrder, progress: (CutProgress) -> Bool
  ) throws(CutError) -> LaidResult? {
    try media().laidResult(order, progress: progress)
  }
}
