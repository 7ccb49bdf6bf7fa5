public import ExactTime

/// A film's own timecode: which label its first frame bears.
public enum SourceTimecode {
  /// The label that the pictures state, else that of a timecode track, else that of a tag; `nil`
  /// where none of them reads as one.
  public static func start(of facts: MediaFacts) -> TimecodeLabel? {
    let pictures = facts.tracks.filter { $0.kind == .video && $0.isPresented }
    let others = facts.tracks.filter { $0.kind == .timecode }
    let tags = facts.tags.filter { $0.key.lowercased() == "timecode" }.map(\.value)
    let texts = (pictures + others).compactMap(\.timecode) + tags
    return texts.lazy.compactMap { TimecodeLabel(stored: $0) }.first
  }
}
