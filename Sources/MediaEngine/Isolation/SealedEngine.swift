#if FFmpeg
  import Libav
#endif

/// What must have happened in a process before it seals itself.
package enum SealedEngine {
  /// Loads FFmpeg's libraries; where they are missing, the work that needs them reports it.
  package static func load() {
    #if FFmpeg
      try? LibavLibrary.limitAllocations(to: Limits.standard.allocation)
      try? PictureScaler.load()
    #endif
  }

  /// States that this process has entered the sandbox: if it is complete, more formats are read.
  ///
  /// - Parameter missing: the names of the layers that it lacks to be complete.
  package static func noteSeal(lacking missing: [String]) {
    #if FFmpeg
      AllowList.seal = missing.isEmpty ? .complete : .lacking(missing)
    #endif
  }

  /// Whether a file with these first bytes is read without FFmpeg, as far as they show.
  package static func isNative(head: [UInt8]) -> Bool {
    MetadataCensus.isISO(head[...])
  }
}
