#if !FFmpeg
  public import ExactTime
  public import MediaFacts
  public import MediaFiles
  public import Probing
  public import Trimming

  /// Refuses every cut: this build was made without FFmpeg.
  public struct FileCutter: Sendable {
    /// What one input may cost; nothing is opened here.
    public var limits: Limits
    /// Called often in builds with FFmpeg; never here.
    public var isCancelled: @Sendable () -> Bool

    /// Creates a cutter that refuses every file.
    public init(
      limits: Limits = .standard,
      isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) {
      self.limits = limits
      self.isCancelled = isCancelled
    }

    /// Refuses the file.
    ///
    /// - Throws: ``CutError`` of code `engineMissing`.
    public func open(_ input: MediaInput) throws(CutError) -> OpenedFile { throw .withoutFFmpeg }

    package func open(_ file: InputFile) throws(CutError) -> OpenedFile { throw .withoutFFmpeg }
  }

  /// A source that is open for cutting: there is none without FFmpeg.
  public final class OpenedFile {
    private init() {}

    package func decodesInProof(_ plan: CutPlan) throws(CutError) -> Bool { throw .withoutFFmpeg }

    /// Never called: no source can be opened.
    public var facts: MediaFacts {
      MediaFacts(container: ContainerFacts(format: "", longName: ""), depth: .header)
    }

    /// Never called: no source can be opened.
    public var frameStarts: FrameStarts? { nil }

    /// Never called: no source can be opened.
    ///
    /// - Throws: ``CutError`` of code `engineMissing`.
    public func plan(
      _ request: CutRequest, for container: OutputContainer
    ) throws(CutError) -> CutPlan { throw .withoutFFmpeg }

    /// Never called: no source can be opened.
    ///
    /// - Throws: ``CutError`` of code `engineMissing`.
    public func plan(_ order: CutOrder) throws(CutError) -> CutPlan { throw .withoutFFmpeg }

    /// Never called: no source can be opened.
    public func checkPlace(_ path: [UInt8], replaces: Bool) throws(CutError) {}

    /// Never called: no source can be opened.
    ///
    /// - Throws: ``CutError`` of code `engineMissing`.
    public func cut(
      _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutReport { throw .withoutFFmpeg }

    /// Never called: no source can be opened.
    ///
    /// - Throws: ``CutError`` of code `engineMissing`.
    public func cut(
      _ plan: CutPlan, to output: [UInt8], replaces: Bool = false, keepsFailed: Bool = false,
      progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutReport { throw .withoutFFmpeg }
  }
#endif
