/// Which of several sources leads, and how the others follow it.
///
/// The leading format is that of the longest total duration, then of the first source, among those that
/// have the most kinds of tracks and whose pictures the container holds, with their rotation; or that of the source that is asked for.
/// If the container does not hold the leading source's codec, it leads with H.264 in its place.
struct JoinArrangement: Hashable {
  var leading: Int
  /// The track of the leading source whose pictures become H.264; `nil` where they stay.
  var made: Int?
  /// For each source; `nil` for one that follows as it is.
  var sources: [RefittedSource.Arrangement?]
}
