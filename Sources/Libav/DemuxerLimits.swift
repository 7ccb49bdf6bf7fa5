/// What opening a file may cost (SAFETY: every number is documented where users see it).
package struct DemuxerLimits: Sendable, Hashable {
  /// Bytes read at most to recognise the format and its streams.
  package var probeBytes: Int64 = 32 << 20
  /// Microseconds of media read at most for the same.
  package var analyzeMicroseconds: Int64 = 20_000_000
  package var streams: Int32 = 100
  /// Pixels of a picture at most.
  package var pixels: Int64 = 134_217_728

  package init() {}
}
