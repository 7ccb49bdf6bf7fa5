/// How much time, and how many attempts, fetching may take.
package struct FetchLimits: Sendable, Hashable {
  /// For a name to be resolved and a connection to be made.
  package var connecting = Duration.seconds(10)
  /// In each such time, ``windowBytes`` must arrive.
  package var window = Duration.seconds(20)
  package var windowBytes: Int64 = 20 << 10
  /// How often a request is repeated after an answer that may be another one later.
  package var retries = 4
  /// The pause before the first repetition; doubled for each further one.
  package var pause = Duration.milliseconds(250)
  /// For all attempts together: no repetition begins later.
  package var patience = Duration.seconds(60)
  /// For all requests of a file from its opening on; `nil` for the time that each of them may take.
  package var total: Duration?
  /// Where there is no ``total``, a request may take ``patience`` and a second for so many of its bytes.
  package var bytesPerSecond: Int64 = 32 << 10
  package var redirects = 5
  /// Bytes of all lines of a head.
  package var headBytes: Int64 = 64 << 10
  /// The most bytes of a file that are asked for at once.
  package var rangeBytes: Int64 = 8 << 20
  /// The most of a file whose server sends no ranges.
  package var wholeBytes: Int64 = 8 << 20
  /// Requests in flight for one file, and for all.
  package var requestsPerSource = 4
  package var requests = 16

  package init() {}

  /// By when a request must be over that begins now.
  func end(forBytes count: Int, deadline: ContinuousClock.Instant?) -> ContinuousClock.Instant {
    let seconds = Int64(count) / max(1, bytesPerSecond)
    return deadline ?? ContinuousClock.now + patience + .seconds(seconds)
  }
}
