import ExactTime
import Trimming

@testable import Cutting

extension OpenedFile {
  /// The proof of a part that is copied packet by packet, before anything was written.
  func copyProof(
    of range: MediaTimeRange, in container: OutputContainer,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> CutProof {
    let plan = try plan(CutRequest(range: range, mode: .copy), for: container)
    let tracks = try CutAssembly(
      source: source, plan: plan, number: 0, spool: PayloadSpool(), limits: .standard,
      isCancelled: { false }
    ).tracks()
    return CutProof(
      tracks: tracks, fingerprints: [], source: source, container: container, isFull: false,
      limits: .standard, isCancelled: isCancelled)
  }
}
