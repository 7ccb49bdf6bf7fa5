package import JSON
package import MediaEngine
package import MediaFacts

/// An operation that a front end adds to those of the engine, performed in a sealed process.
package typealias SealedOperation = @Sendable (SealedWork) throws -> SealedAnswer

/// The table of operations that a sealed process serves in addition to the engine's.
package struct SealedOperations: Sendable {
  /// By names that are none of ``EngineOperation``'s.
  package var added: [String: SealedOperation]
  /// Called with the name of each operation before it is performed: a returned text makes it fail with that
  /// message.
  ///
  /// For tests.
  package var hook: @Sendable (String) -> String?

  package init(
    _ added: [String: SealedOperation] = [:],
    hook: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.added = added
    self.hook = hook
  }
}

/// What an added operation returns; untrusted once it has left its process.
package struct SealedAnswer: Sendable, Equatable {
  package var value: JSONValue
  package var bytes: [UInt8]

  package init(_ value: JSONValue, _ bytes: [UInt8] = []) {
    self.value = value
    self.bytes = bytes
  }
}

/// What an added operation is asked for, in the process that performs it.
package struct SealedWork: Sendable {
  package var arguments: JSONValue
  package var body: [UInt8]
  package var input: MediaInput
  /// Whether FFmpeg is loaded; if not, a file that needs it must be refused with `engineMissing`.
  package var hasFFmpeg: Bool
  /// Must be called often: signals that the work continues; never true.
  package var isCancelled: @Sendable () -> Bool
  /// Reports the progress of a scan.
  package var report: @Sendable (ProbeProgress) -> Void

  /// The facts of the input.
  package func facts(_ options: ProbeOptions) throws(MediaError) -> MediaFacts {
    try Prober(isCancelled: isCancelled).probe(input, options: options) { progress in
      report(progress)
      return true
    }
  }
}

/// What a request asks for.
enum RequestedOperation: Sendable, Equatable {
  case engine(EngineOperation)
  case added(String)

  init(_ name: String) {
    self = EngineOperation(rawValue: name).map(Self.engine) ?? .added(name)
  }

  var name: String {
    switch self {
    case .engine(let operation): operation.rawValue
    case .added(let name): name
    }
  }

  /// The maximum CPU time between two heartbeats.
  var longestStep: Duration {
    switch self {
    // FFmpeg reads headers, and packets one by one.
    case .engine(.open), .engine(.frames), .engine(.identity): Limits.standard.step
    // A probe limits its own steps, and packets of an open file are decoded and encoded.
    default: Limits.standard.computing
    }
  }
}
