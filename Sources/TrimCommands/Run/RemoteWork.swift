import CommandLineKit
import MediaFacts

/// Work on a file that is done in a sealed process because of what it makes of it.
struct RemoteWork: Sendable {
  var path: [UInt8]
  var arguments: JSONValue
  /// Of its largest picture.
  var pixels: Int64
  /// Asked while it is done, on the calling thread.
  var isCancelled: @Sendable () -> Bool

  /// What was made.
  struct Result: Sendable {
    var value: JSONValue
    var bytes: [UInt8]
  }

  /// Blocking; `nil` where there is no process, and the work is to be done in this one.
  typealias Port = @Sendable (RemoteWork) throws(EngineFailure) -> Result?
}

extension MediaFacts {
  /// Pixels of the largest picture that a track states, whatever the limits say to it.
  var mostPixels: Int64 {
    tracks.reduce(0) { most, track in
      guard let video = track.video else { return most }
      let (pixels, overflow) = Int64(video.width).multipliedReportingOverflow(
        by: Int64(video.height))
      return max(most, overflow ? .max : pixels)
    }
  }
}
