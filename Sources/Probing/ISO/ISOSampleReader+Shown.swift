import ISOMedia

extension ISOSampleReader {
  /// The tick of the first frame that is shown, where some before it cannot be shown; `nil` where
  /// all frames can be shown, or none.
  package func firstShownTick(_ times: ISOMediaTimes) -> Int64? {
    let keys = keyframes(times: times, readsBitstream: false)
    let start = firstShown(keys: keys, times: times)
    if start > 0 { return start < times.sampleCount ? times.pts[start] : nil }
    return keys.first.flatMap { firstDecodable(after: $0, times: times) }
  }
}
