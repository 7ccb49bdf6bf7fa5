import Dispatch
import ExactTime
import MediaFiles
import Probing
public import Trimming

extension ExportPort {
  /// Exports with the cutter of this module.
  ///
  /// The limit of the request is checked again against the duration that would be written. A
  /// cancelled task ends with `CancellationError` and leaves nothing behind.
  ///
  /// - Parameters:
  ///   - destination: where the part goes; its extension chooses the container.
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
    do throws(MediaError) {
      let cutter = FileCutter(isCancelled: { stop.isRaised })
      let order = CutOrder(
        CutRequest(range: request.range), to: path, limit: request.limit, replaces: replaces)
      _ = try cutter.open(.file(path: Array(request.location.utf8))).cut(order) { step in
        progress(step.share)
        return !stop.isRaised
      }
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      throw error
    }
    return String(decoding: path, as: UTF8.self)
  }
}
