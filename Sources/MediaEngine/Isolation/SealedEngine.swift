import Libav

/// What must have happened in a process before it seals itself.
package enum SealedEngine {
  /// Loads FFmpeg's libraries; where they are missing, the work that needs them reports it.
  package static func load() {
    try? LibavLibrary.limitAllocations(to: Limits.standard.allocation)
    try? PictureScaler.load()
  }

  /// States that this process has entered the sandbox: if it is complete, more formats are read.
  ///
  /// - Parameter missing: the names of the layers that it lacks to be complete.
  package static func noteSeal(lacking missing: [String]) {
    AllowList.seal = missing.isEmpty ? .complete : .lacking(missing)
  }

  /// Whether a file with these first bytes is read without FFmpeg, as far as they show.
  package static func isNative(head: [UInt8]) -> Bool {
    MetadataCensus.isISO(head[...])
  }
}
