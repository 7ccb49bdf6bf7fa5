import CommandLineKit
import Isolation
import MediaEngine
import MediaFacts

/// Work in a sealed process that produces an output from a file.
struct RemoteWork: Sendable {
  /// What is done with the arguments; its name is that of the operation.
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
  /// The same, with how much of it is done.
  var progress: @Sendable (CutProgress) -> Void = { _ in }

  /// Performs the work, blocking; `nil` if there is no such process and the work must be done in
  /// this one.
  typealias Port = @Sendable (RemoteWork) throws(EngineFailure) -> SealedAnswer?
}
