/// What is known of the fragments of a track between those at both ends, which were not read.
package struct ISOUnreadFragments: Sendable, Hashable {
  /// The first sample behind them, among all of the track that were read.
  package internal(set) var firstBehind: Int
  /// When the track's sync samples are shown, in its ticks, ascending, as the index states; `nil` where it does
  /// not name all of them.
  package internal(set) var syncTimes: [Int64]?
}
