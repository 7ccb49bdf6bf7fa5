#if !FFmpeg
  public import ExactTime
  public import MediaFacts
  public import MediaFiles
  public import Probing
  public import Trimming

  /// Refuses every cut: this build was made without FFmpeg.
  public struct FileCutter: Sendable {
    public var limits: Limits
    public var isCancelled: @Sendable () -> Bool

    public init(
      limits: Limits = .standard,
      isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) {
      self.limits = limits
      self.isCancelled = isCancelled
    }

    /// - Throws: ``CutError`` of code `engineMissing`.
    public func open(_ input: MediaInput) throws(CutError) -> CutFilm { throw .withoutFFmpeg }
  }

  /// A source that is open for cutting: there is none without FFmpeg.
  public final class CutFilm {
    private init() {}

    public var facts: MediaFacts {
      MediaFacts(container: ContainerFacts(format: "", longName: ""), depth: .header)
    }

    public var frameStarts: FrameStarts? { nil }

    public func plan(
      _ request: CutRequest, for container: OutputContainer
    ) throws(CutError) -> CutPlan { throw .withoutFFmpeg }

    public func plan(_ order: CutOrder) throws(CutError) -> CutPlan { throw .withoutFFmpeg }

    public func checkPlace(_ path: [UInt8], replaces: Bool) throws(CutError) {}

    public func cut(
      _ order: CutOrder, progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutReport { throw .withoutFFmpeg }

    public func cut(
      _ plan: CutPlan, to output: [UInt8], replaces: Bool = false, keepsFailed: Bool = false,
      progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutReport { throw .withoutFFmpeg }
  }
#endif
