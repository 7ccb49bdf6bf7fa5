import ExactTime
import MediaEngine
import Trimming

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
          throw error.probeError
        }
      },
      prepare: { start, size in
        do throws(EngineFailure) {
          _ = try process.perform(
            .prepare, EngineArguments.Picture(time: start, size: size), isCancelled: isCancelled)
        } catch {
          throw error.probeError
        }
      })
  }
}
