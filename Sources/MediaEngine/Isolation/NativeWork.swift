import Libav
package import MediaFiles

/// Work on MP4 that may turn out to need FFmpeg.
package enum NativeWork {
  /// Does the work in this process, without FFmpeg.
  ///
  /// - Returns: `nil` where it needs FFmpeg and has to be done in another process.
  package static func attempt<Result>(
    _ work: () throws(MediaError) -> Result
  ) throws(MediaError) -> Result? {
    var result: Result?
    let isMissed = try LibavLibrary.isMissed { () throws(MediaError) in result = try work() }
    return isMissed ? nil : result
  }

  /// Asks another process during such work, or FFmpeg in this one where there is no other.
  package static func asking<Result>(
    _ work: () throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    try LibavLibrary.unbarred(work)
  }
}
