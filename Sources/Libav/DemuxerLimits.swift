/// What opening and reading a file may cost.
package struct DemuxerLimits: Sendable, Hashable {
  /// The most bytes read to recognize the format and its streams.
  package var probeBytes: Int64 = 32 << 20
  /// The most microseconds of media read for the same purpose.
  package var analyzeMicroseconds: Int64 = 20_000_000
  package var streams: Int32 = 100
  /// The most metadata entries of the file, and of any of its streams.
  package var entries = 4000
  /// The most pixels of a picture, and of one of its sides.
  package var pixels: Int64 = 35_651_584
  package var side = 16_384
  /// The most bytes read without finding a packet.
  package var barrenBytes: Int64 = 128 << 20
  /// The same where a parser buffers them in memory; no frame is larger.
  package var gatheredBytes: Int64 = 14 << 20
  /// The most bytes read to recognize the streams of such a format: together with the longest
  /// following frame no more than may be buffered.
  package var bareProbeBytes: Int64 = 6 << 20
  /// The most packets returned without reading further.
  package var idlePackets = 10_000

  package init() {}

  /// Why pictures of a size are not decoded; `nil` when they are.
  package func refusal(ofWidth width: Int, height: Int) -> String? {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > side || height > side || overflow || Int64(area) > pixels else { return nil }
    return "its frame size of \(width)x\(height) is larger than the limits allow"
  }

  /// The most pixels of each of several simultaneously decoded streams: a decoder may hold many
  /// pictures, and all decoders together no more than a single one may.
  package func pixels(ofEachOf count: Int) -> Int64 { pixels / Int64(max(1, count)) }
}
