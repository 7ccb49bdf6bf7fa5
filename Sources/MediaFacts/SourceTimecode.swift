public import ExactTime

/// A file's own timecode: which label its first frame bears.
public enum SourceTimecode {
  /// The label that a video track states, else that of a timecode track, else that of a tag of the
  /// file; `nil` where none of them is a valid label.
  public static func start(of facts: MediaFacts) -> TimecodeLabel? {
    let pictures = facts.tracks.filter { $0.kind == .video && $0.isPresented }
    let others = facts.tracks.filter { $0.kind == .timecode }
    let tags = facts.tags.filter { $0.key.lowercased() == "timecode" }.map(\.value)
    let texts = (pictures + others).compactMap(\.timecode) + tags
    return texts.lazy.compactMap { TimecodeLabel(stored: $0) }.first
  }
}
