public import MediaFacts

/// Finds the truth about one file at a time.
///
/// Opens the input itself (regular files only), reads nothing else, and writes nothing. Blocking:
/// call it off the cooperative pool.
public struct Prober: Sendable {
  public init() {}

  /// - Parameter progress: called now and then during a long scan, on the calling thread; return
  ///   false to cancel.
  /// - Throws: ``ProbeError``. Damage that leaves something to tell is not an error but stands in
  ///   ``MediaFacts/damage``.
  public func probe(
    _ input: MediaInput, options: ProbeOptions = ProbeOptions(),
    progress: (ProbeProgress) -> Bool = { _ in true }
  ) throws(ProbeError) -> MediaFacts {
    throw ProbeError(.notMedia, "the content is not recognised as media")
  }
}
