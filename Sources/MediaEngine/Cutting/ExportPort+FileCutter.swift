#if FFmpeg
  import Dispatch
  import ExactTime
  import Synchronization
  public import Trimming

  extension ExportPort {
    /// Exports with the cutter of this module.
    ///
    /// The limit of the request is judged again on the length that would be written. A cancelled
    /// task ends with `CancellationError` and leaves nothing behind.
    ///
    /// - Parameters:
    ///   - destination: where the part goes; its ending chooses the container.
    ///   - replaces: whether a file of that name is replaced.
    public static func cutting(
      to destination: @escaping @Sendable (ExportRequest) -> [UInt8], replaces: Bool = false
    ) -> ExportPort {
      ExportPort { request, progress in
        let path = destination(request)
        let stop = StopFlag()
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            // Cutting blocks, and must not hold a thread of the cooperative pool.
            DispatchQueue.global(qos: .userInitiated).async {
              continuation.resume(
                with: Result {
                  try export(request, to: path, replaces: replaces, stop, progress)
                })
            }
          }
        } onCancel: {
          stop.raise()
        }
      }
    }

    private static func export(
      _ request: ExportRequest, to path: [UInt8], replaces: Bool, _ stop: StopFlag,
      _ progress: Progress
    ) throws -> String {
      let ending = path.split(separator: UInt8(ascii: ".")).last.map {
        String(decoding: $0, as: UTF8.self)
      }
      guard let container = ending.flatMap(OutputContainer.init(nameEnding:)) else {
        throw CutError(.unknownContainer, "the output's name does not say which container to write")
      }
      do {
        let cutter = FileCutter(isCancelled: { stop.isRaised })
        let film = try cutter.open(.file(path: Array(request.location.utf8)))
        let cut = CutRequest(range: request.range)
        let plan = try film.plan(cut, for: container)
        guard request.limit.isValid(plan.length) else {
          throw CutError(
            .tooLong, "the part would be \(plan.length) s long, which the limit does not allow")
        }
        _ = try film.cut(cut, to: path, as: container, replaces: replaces) { step in
          if let done = try? Rational(
            checked: Int128(step.bytesDone), over: Int128(max(1, step.bytesTotal)))
          {
            progress(min(.one, done))
          }
          return !stop.isRaised
        }
      } catch let error as CutError where error.code == .cancelled {
        throw CancellationError()
      }
      return String(decoding: path, as: UTF8.self)
    }
  }

  private final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isRaised: Bool { flag.load(ordering: .relaxed) }
    func raise() { flag.store(true, ordering: .relaxed) }
  }
#endif
