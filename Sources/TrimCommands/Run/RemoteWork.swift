import CommandLineKit

/// Work on a file that is done in a sealed process because of what it makes of it.
struct RemoteWork: Sendable {
  var path: [UInt8]
  var arguments: JSONValue
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
