import Trimming

extension TrimmingPorts {
  /// The ports of a player that already has its file and exports nothing.
  static func simulating(_ media: PlayedMedia, flags: FirstVisitFlag) -> TrimmingPorts {
    TrimmingPorts(
      probe: ProbePort { _ in media.timings }, flags: flags,
      export: ExportPort { _, _ in throw VideoFailure("trim play writes no files") })
  }
}
