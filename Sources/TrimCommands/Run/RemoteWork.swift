import CommandLineKit
import MediaFacts

/// Work in a sealed process that produces an output from a file.
struct RemoteWork: Sendable {
  /// What is done with the arguments.
  enum Kind: String, Sendable {
    case draw, find, quiet
  }

  var kind = Kind.draw
  var path: [UInt8]
  var arguments: JSONValue
  /// The pixel count of its largest picture.
  var pixels: Int64
  /// Called during the work, on the calling thread.
  var isCancelled: @Sendable () -> Bool

  /// The output of the work.
  struct Result: Sendable {
    var value: JSONValue
    var bytes: [UInt8]
  }

  /// Performs the work, blocking; `nil` if there is no such process and the work must be done in
  /// this one.
  typealias Port = @Sendable (RemoteWork) throws(EngineFailure) -> Result?
}

extension MediaFacts {
  /// The pixel count of the largest picture that a track states, regardless of the limits.
  var mostPixels: Int64 {
    tracks.reduce(0) { most, track in
      guard let video = track.video else { return most }
      let (pixels, overflow) = Int64(video.width).multipliedReportingOverflow(
        by: Int64(video.height))
      return max(most, overflow ? .max : pixels)
    }
  }
}
